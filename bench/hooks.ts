/** Measures how long a client waits for a hook, compared with an empty Node process. */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository } from '../tests/support/repository.ts';
import { atMost, type Bench, type Figure, type Figures, type Print, recorded, rounded, sized } from './bench.ts';
import { answerOf, copyProject, type HookCase, inputIn, prepareProjects, projectIn } from './hooks-project.ts';
import { median } from './measure.ts';

/** As many as there is time for. */
const rounds = sized({ least: 5, most: 25, milliseconds: 40_000 }, { least: 1, most: 1, milliseconds: 0 });
const goals = { conducted: 1.6, otherwise: 1.3 };

/**
 * Says what the process itself has used, its start included, and what of it went into starting git and commands: a copy of the process
 * for each of them. What those use themselves is in neither. Nothing is loaded for it that the process does not load.
 */
const probe = `const used = () => { const { user, system } = process.cpuUsage(); return user + system; };
let starting = 0;
const Module = require('node:module');
const load = Module._load;
Module._load = function (name, ...rest) {
  const loaded = load.call(this, name, ...rest);
  if (name !== 'node:child_process') return loaded;
  Module._load = load;
  const { spawn } = loaded;
  loaded.spawn = (...args) => {
    const before = used();
    try { return spawn(...args); } finally { starting += used() - before; }
  };
  return loaded;
};
process.on('exit', () => require('node:fs').writeFileSync(process.env.BENCH_PROBE, used() + ' ' + starting));
`;

/** The command as the package has it, and a home in which it has been before. */
interface Ground {
  readonly root: string;
  readonly launcher: string;
  readonly environment: NodeJS.ProcessEnv;
}

function makeGround(): Ground {
  const root = mkdtempSync(join(tmpdir(), 'divisi-bench-hooks-'));
  const dist = join(root, 'package/dist');
  mkdirSync(dist, { recursive: true });
  execFileSync(process.execPath, [join(repository, 'tools/bundle.ts'), dist]);
  // It has no types to remove.
  copyFileSync(join(repository, 'src/divisi.cts'), join(dist, 'divisi.cjs'));
  writeFileSync(join(root, 'probe.cjs'), probe);
  const { PATH, DIVISI_STATE } = process.env;
  const environment = { PATH, HOME: join(root, 'home'), DIVISI_STATE, BENCH_PROBE: join(root, 'probe') };
  return { root, launcher: join(dist, 'divisi.cjs'), environment };
}

interface Cold {
  /** Milliseconds. */
  readonly processor: number;
  /** Of that, to start git and commands. */
  readonly starting: number;
  readonly wall: number;
}

function cold({ root, environment }: Ground, words: readonly string[], cwd: string, input: string): Cold {
  const begun = performance.now();
  const { status, stderr } = spawnSync(process.execPath, ['-r', join(root, 'probe.cjs'), ...words], {
    cwd,
    input,
    encoding: 'utf8',
    env: environment,
  });
  const wall = performance.now() - begun;
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}: ${stderr}`);
  const said = readFileSync(join(root, 'probe'), 'utf8').split(' ');
  const [processor = 0, starting = 0] = said.map((one) => Number(one) / 1000);
  return { processor, starting, wall };
}

/** On a copy of what was prepared: what it changes, the next one does not see. */
function coldHook(ground: Ground, one: HookCase): Cold {
  const folder = join(ground.root, 'copy');
  copyProject(one.folder, folder);
  return cold(ground, [ground.launcher, 'hook', one.event], projectIn(folder), inputIn(folder, one));
}

interface Measured {
  readonly one: HookCase;
  readonly rounds: number;
  /** Milliseconds. */
  readonly own: number;
  readonly starting: number;
  /** Medians of the ratios of neighbours. */
  readonly ratio: number;
  readonly wallRatio: number;
}

const ownOf = ({ processor, starting }: Cold): number => processor - starting;

function measure(ground: Ground, cases: readonly HookCase[]): Measured[] {
  const times = new Map(cases.map((one) => [one, [] as { readonly bare: Cold; readonly ours: Cold }[]]));
  const bareHook = (): Cold => cold(ground, ['-e', '0'], ground.root, '');
  // Node has compiled what it keeps.
  for (const one of cases) for (let times = 0; times < 2; times += 1) coldHook(ground, one);
  const until = performance.now() + rounds.milliseconds;
  for (let round = 0; round < rounds.most && (round < rounds.least || performance.now() < until); round += 1) {
    for (const [one, pairs] of times) pairs.push({ bare: bareHook(), ours: coldHook(ground, one) });
  }
  return Array.from(times, ([one, pairs]) => ({
    one,
    rounds: pairs.length,
    own: median(pairs.map(({ ours }) => ownOf(ours))),
    starting: median(pairs.map(({ ours }) => ours.starting)),
    ratio: median(pairs.map(({ ours, bare }) => ownOf(ours) / ownOf(bare))),
    wallRatio: median(pairs.map(({ ours, bare }) => ours.wall / bare.wall)),
  }));
}

const nameOf = ({ event, name }: HookCase): string => `${event}, ${name}`;

function figureOf({ one, ratio }: Measured): [string, Figure] {
  return [nameOf(one), atMost(one.isConducted ? goals.conducted : goals.otherwise, ratio, 'times `node -e 0`')];
}

async function run(print: Print): Promise<Figures> {
  const ground = makeGround();
  try {
    const cases = await prepareProjects(join(ground.root, 'projects'), (folder, input) => {
      const words = [process.execPath, ground.launcher, 'hook', String(input['hook_event_name'])];
      return answerOf(words, projectIn(folder), ground.environment, inputIn(folder, { input }));
    });
    const measured = measure(ground, cases);
    print(
      `${measured[0]?.rounds ?? 0} of each in turns; ${availableParallelism()} processors, load ${rounded(loadavg()[0] ?? 0)}:`,
    );
    for (const { one, own, starting, ratio, wallRatio } of measured) {
      const started = starting === 0 ? '' : `and ${starting.toFixed(1)} for git`;
      const cells = [
        `${own.toFixed(1)} ms`,
        started,
        `${ratio.toFixed(2)} times`,
        `wall ${wallRatio.toFixed(2)} times`,
      ];
      print(`  ${nameOf(one).padEnd(48)}${cells.map((cell) => cell.padStart(17)).join('')}`);
    }
    const worst = (of: 'ratio' | 'wallRatio'): number => Math.max(...measured.map((one) => one[of]));
    return {
      ...Object.fromEntries(measured.map(figureOf)),
      'the slowest, by the clock on the wall, git and commands included': recorded(worst('wallRatio'), 'times'),
    };
  } finally {
    rmSync(ground.root, { recursive: true, force: true });
  }
}

export const hooks: Bench = {
  compares: `hooks as a client starts them, a new process each, against \`node -e 0\`.
  The time is what the processor spent on the process itself, its start included, by its own account at its end: a busy machine
  does not lengthen it, and git and acceptance commands, which are processes of their own, are not in it. Starting them (\`spawn\`, which
  copies the process) is taken off as well and shown beside it. Both sides have the same few lines loaded that say it. What
  Node keeps compiled between hooks is there: each hook ran before. The environment has PATH and HOME, and where those lines write. Each hook gets a fresh copy of a project with a run of eight tasks at the moment it is about. Sides take turns;
  a ratio is the median of the ratios of neighbours. Four cannot meet the goal: a delegation, an agent's first edit, SubagentStop and a resumed
  SessionStart load the schemas of events and commit durably, and the first and the third start git. Three are at the goal, now above it, now below: an agent's later edits, before and after, and the end of a delegation. docs/decisions/0010 has what they cannot do without, and the rest.`,
  run,
};
