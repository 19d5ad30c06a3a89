/** Start-up: what commands that only look cost, beside what Node costs to do nothing. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { atMost, type Bench, type Figure, type Figures, type Print, recorded, rounded, sized } from './bench.ts';
import { installCommand } from './installed-command.ts';
import { median } from './measure.ts';
import { makeProject, size } from './start-project.ts';

const rounds = { least: sized(5, 3), most: 40, milliseconds: sized(90_000, 12_000) };
const goals = { processor: 3, memory: 1.6 };

interface StartCase {
  readonly name: string;
  readonly words: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Only recorded. */
  readonly hasNoGoal?: boolean;
}

const cases: readonly StartCase[] = [
  { name: 'status', words: ['status'] },
  { name: 'list', words: ['list'] },
  { name: 'task list', words: ['task', 'list'] },
  { name: '--help', words: ['--help'] },
  { name: 'completion of a command', words: ['complete', '--', 'st'] },
  { name: 'completion of a run', words: ['complete', '--', 'status', ''] },
  { name: 'completion of a task', words: ['complete', '--', 'report', '2.'] },
  {
    name: 'status, nothing compiled before',
    words: ['status'],
    environment: { NODE_DISABLE_COMPILE_CACHE: '1' },
    hasNoGoal: true,
  },
];

/** Writes what the process has used, its start included: microseconds of the processor, and KiB at its peak. */
const probe = `process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  require('node:fs').writeFileSync(process.env.BENCH_PROBE, userCPUTime + systemCPUTime + ' ' + maxRSS);
});
`;

interface Ground {
  readonly root: string;
  readonly project: string;
  readonly launcher: string;
}

async function makeGround(): Promise<Ground> {
  const root = mkdtempSync(join(tmpdir(), 'divisi-bench-start-'));
  const project = join(root, 'project');
  const launcher = installCommand(root);
  writeFileSync(join(root, 'probe.cjs'), probe);
  await makeProject(project);
  return { root, project, launcher };
}

interface Used {
  /** Milliseconds. */
  readonly processor: number;
  /** MiB. */
  readonly memory: number;
}

function used({ root, project }: Ground, words: readonly string[], more: Readonly<Record<string, string>> = {}): Used {
  const { PATH, DIVISI_STATE } = process.env;
  const environment = { PATH, HOME: join(root, 'home'), DIVISI_STATE, BENCH_PROBE: join(root, 'used'), ...more };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-r', join(root, 'probe.cjs'), ...words], {
    cwd: project,
    encoding: 'utf8',
    env: environment,
  });
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}: ${stderr}`);
  if (words[0] !== '-e' && stdout === '') throw new Error(`${words.join(' ')} printed nothing`);
  const [processor = 0, memory = 0] = readFileSync(join(root, 'used'), 'utf8').split(' ').map(Number);
  return { processor: processor / 1000, memory: memory / 1024 };
}

interface Measured {
  readonly one: StartCase;
  readonly rounds: number;
  readonly usual: Used;
  /** Medians of the ratios of neighbours. */
  readonly ratio: Used;
}

function measure(ground: Ground): Measured[] {
  const bare = (): Used => used(ground, ['-e', '0']);
  const ours = ({ words, environment }: StartCase): Used => used(ground, [ground.launcher, ...words], environment);
  const pairs = new Map(cases.map((one) => [one, [] as { readonly bare: Used; readonly ours: Used }[]]));
  // The first start compiles, and writes TODO.md.
  for (const one of cases) for (let times = 0; times < 2; times += 1) ours(one);
  const until = performance.now() + rounds.milliseconds;
  for (let round = 0; round < rounds.most && (round < rounds.least || performance.now() < until); round += 1) {
    for (const [one, list] of pairs) list.push({ bare: bare(), ours: ours(one) });
  }
  const middle = (list: readonly { readonly bare: Used; readonly ours: Used }[], of: keyof Used): number =>
    median(list.map((pair) => pair.ours[of] / pair.bare[of]));
  return Array.from(pairs, ([one, list]) => ({
    one,
    rounds: list.length,
    usual: {
      processor: median(list.map((pair) => pair.ours.processor)),
      memory: median(list.map((pair) => pair.ours.memory)),
    },
    ratio: { processor: middle(list, 'processor'), memory: middle(list, 'memory') },
  }));
}

function figuresOf({ one: { name, hasNoGoal = false }, ratio }: Measured): [string, Figure][] {
  const unit = 'times `node -e 0`';
  const figure = (most: number, value: number): Figure =>
    hasNoGoal ? recorded(value, unit) : atMost(most, value, unit);
  return [
    [`${name}: processor time`, figure(goals.processor, ratio.processor)],
    [`${name}: peak memory`, figure(goals.memory, ratio.memory)],
  ];
}

async function run(print: Print): Promise<Figures> {
  const ground = await makeGround();
  try {
    const measured = measure(ground);
    const load = `${availableParallelism()} processors, load ${rounded(loadavg()[0] ?? 0)}`;
    print(`${measured[0]?.rounds ?? 0} of each in turns; ${load}:`);
    for (const { one, usual, ratio } of measured) {
      const cells = [
        `${usual.processor.toFixed(1)} ms`,
        `${ratio.processor.toFixed(2)} times`,
        `${usual.memory.toFixed(0)} MiB`,
        `${ratio.memory.toFixed(2)} times`,
      ];
      print(`  ${one.name.padEnd(34)}${cells.map((cell) => cell.padStart(12)).join('')}`);
    }
    return Object.fromEntries(measured.flatMap(figuresOf));
  } finally {
    rmSync(ground.root, { recursive: true, force: true });
  }
}

export const start: Bench = {
  compares: `commands that only look, as the built package starts them, a new process each, against \`node -e 0\`.
  Processor time is user and system time of the whole process, so a busy machine lengthens it little; memory is its peak resident set. Both
  sides load the same few lines that report them. The project has two runs of ${size.tasks} tasks, a backlog of ${size.backlog} and a config. Node's
  compile cache is warm. Sides take turns; a ratio is the median of the ratios of neighbours. \`--quick\` takes fewer turns.`,
  run,
};
