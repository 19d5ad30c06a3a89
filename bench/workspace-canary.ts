/** Measures how much longer a run takes because of the canary, which runs beside agents that take longer than it. */
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stateFolder } from '../src/workspace/places.ts';
import { git, makeRepository, put } from '../tests/support/git-project.ts';
import { atMost, type Figures, type Print, rounded, sized } from './bench.ts';
import { median } from './measure.ts';

/** Seconds. */
const [agentTime, commandTime] = [sized(8, 1.5), sized(4, 0.5)];
const rounds = sized(3, 1);

const agent = `sleep ${agentTime}
echo "$DIVISI_TASK" > "$DIVISI_TASK.txt"`;

const plan = (command: string): string => `# Plan: Canary

## Settings
- Command: ${command}
- Returns: exit-code
- Reviews: off

## Wave 1: All

| ID | Task | Status | Accept |
|---|---|---|---|
| 1.1 | One | [ ] | \`sleep ${commandTime}\` |
| 1.2 | Two | [ ] | \`sleep ${commandTime}\` |
`;

/** The same run from the same base, in turns: with a canary, and with what an earlier canary found out. */
export function measureCanary(print: Print, folder: string, launcher: string): Figures {
  const project = join(folder, 'canary/project');
  put(join(folder, 'canary'), { 'agent.sh': agent });
  put(project, { 'plan.md': plan(`sh "${folder}/canary/agent.sh"`), 'a.txt': 'A\n' });
  makeRepository(project);
  const { PATH, DIVISI_STATE } = process.env;
  const env = { PATH, DIVISI_STATE, HOME: join(folder, 'home'), DIVISI_ROOMS: join(folder, 'room-folders') };
  const found = join(stateFolder(project, env), 'canary');

  function run(): number {
    git(project, 'checkout', '--quiet', 'plan.md');
    const start = performance.now();
    const said = spawnSync(process.execPath, [launcher, 'run', 'plan.md'], { cwd: project, env, encoding: 'utf8' });
    if (said.status !== 0) throw new Error(`the run ended with ${said.status}: ${said.stdout}${said.stderr}`);
    if (!existsSync(found)) throw new Error('there was no canary');
    return (performance.now() - start) / 1000;
  }

  const pairs = Array.from({ length: rounds }, () => {
    rmSync(found, { recursive: true, force: true });
    return [run(), run()] as const;
  });
  const ratio = median(pairs.map(([one, other]) => one / other));
  print(
    '',
    `${rounds} runs with a canary of ${commandTime} s beside agents of ${agentTime} s: ${rounded(median(pairs.map(([one]) => one)))} s`,
    `  without: ${rounded(median(pairs.map(([, one]) => one)))} s; ratio ${rounded(ratio)} (median of neighbours)`,
  );
  return { 'wall time of a run with a canary, of one without': atMost(1.02, ratio, '×') };
}
