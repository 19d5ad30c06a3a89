/** Measures whole runs of small tasks: git's processes, the processor's time, and verifying them again. */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { listeningGit, manyTasks } from '../tests/support/many-tasks.ts';
import { atMost, type Figures, type Print, recorded, rounded, sized } from './bench.ts';

const counted = sized(100, 5);
const verified = 2000;
/** A slow machine runs fewer tasks; the time of `verify` is then calculated from two runs. */
const mostMinutes = sized(5, 0.1);
const aloneTimes = 50;

interface Used {
  /** Seconds. */
  readonly wall: number;
  /** Of the processor, with all processes that were waited for. */
  readonly processor: number;
}

/** Runs a program as a child of a shell, which knows what its children have used. */
function use(words: readonly string[], cwd: string, variables: NodeJS.ProcessEnv): Used {
  const start = performance.now();
  const said = spawnSync('sh', ['-c', '"$@" > /dev/null || exit; times', 'sh', ...words], {
    cwd,
    env: { PATH: process.env['PATH'], DIVISI_STATE: process.env['DIVISI_STATE'], ...variables },
    encoding: 'utf8',
  });
  if (said.status !== 0) throw new Error(`${words.join(' ')} ended with ${said.status}: ${said.stderr}`);
  // The second line is about the children: `0m1.50s 0m0.25s`.
  const times = (said.stdout.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g);
  const processor = [...times].reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
  return { wall: (performance.now() - start) / 1000, processor };
}

/** `launcher`: the installed command. */
export function measureRun(print: Print, folder: string, launcher: string): Figures {
  const variables = { HOME: join(folder, 'home'), DIVISI_ROOMS: join(folder, 'room-folders') };
  const divisi = (cwd: string, words: readonly string[], more: NodeJS.ProcessEnv = {}): Used =>
    use([process.execPath, launcher, ...words], cwd, { ...variables, ...more });

  const small = join(folder, 'counted');
  const { path, calls } = listeningGit(small);
  const less = manyTasks(small, counted);
  const first = divisi(less, ['run', 'plan.md'], { PATH: path });
  const processes = calls().length / counted;

  const most = Math.floor((mostMinutes * 60 * counted) / first.wall);
  const tasks = Math.max(2 * counted, Math.min(verified, most));
  const project = manyTasks(join(folder, 'timed'), tasks);
  const whole = divisi(project, ['run', 'plan.md']);
  const agent = agentAlone(join(folder, 'timed'), join(folder, 'alone'));
  const processor = whole.processor / tasks - agent;
  const [again, lessAgain] = [divisi(project, ['verify']).wall, divisi(less, ['verify']).wall];
  const all = again + ((again - lessAgain) / (tasks - counted)) * (verified - tasks);

  print(
    '',
    `${counted} tasks: ${rounded(processes)} git processes a task`,
    `${tasks} tasks: ${rounded(whole.wall)} s, ${rounded(processor)} s of the processor a task beyond the agent's ${rounded(agent)} s`,
    `  verify: ${rounded(again)} s, ${rounded(all)} s for ${verified} tasks`,
  );
  return {
    'git processes per task': atMost(10, processes, 'processes'),
    "processor time per task beyond the agent's": atMost(0.15, processor, 's'),
    'verify of 2,000 tasks': atMost(10, all, 's'),
    'tasks run and verified': recorded(tasks, 'tasks'),
  };
}

/** Seconds of the processor for one call of the agent. */
function agentAlone(folder: string, cwd: string): number {
  mkdirSync(cwd);
  const loop = `for at in $(seq ${aloneTimes}); do sh '${folder}/agent.sh'; done`;
  return use(['sh', '-c', loop], cwd, { DIVISI_TASK: '1.1' }).processor / aloneTimes;
}
