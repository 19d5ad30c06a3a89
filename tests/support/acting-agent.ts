/**
 * An agent whose acts are data: what it does to files, which commands it runs, what it claims. It lies beside the project, so
 * that nothing of it is part of the work.
 */

type Act = 'create' | 'edit' | 'delete' | 'rename';

/** Of one attempt at a task, done in this order. A path without a `/` in front lies where the agent works. */
export interface Acts {
  /** Not before this attempt (`1.2 1`) has begun, or the work of this task is on the run's branch. */
  readonly afterStart?: string;
  readonly afterMerge?: string;
  readonly delete?: readonly string[];
  readonly rename?: Readonly<Record<string, string>>;
  readonly write?: Readonly<Record<string, string>>;
  readonly append?: Readonly<Record<string, string>>;
  /** Link → target. */
  readonly link?: Readonly<Record<string, string>>;
  readonly mode?: Readonly<Record<string, number>>;
  /** Command lines; one that fails fails the agent. */
  readonly run?: readonly (readonly string[])[];
  /** A process that continues adding to this file when the agent has returned; with `setsid` in a session of its own. */
  readonly leaves?: { readonly file: string; readonly setsid?: boolean };
  /** What it says that it touched; without it, what it did touch. */
  readonly claims?: Readonly<Record<string, Act>>;
  readonly evidence?: string;
  /** The criterion of its one row; without it, the first three by their numbers. */
  readonly criterion?: string;
  readonly notes?: readonly string[];
  readonly summary?: string;
  /** By the contract of agents that name their artifacts. */
  readonly artifacts?: readonly string[];
  /** As a reviewer: instead of LOW. */
  readonly verdict?: 'HIGH' | 'MED';
  /** The end of a program instead of a return. */
  readonly exits?: number;
}

/** Of a task, or of each attempt at it; the last one continues. Who is not told anything writes a file of the task's name. */
export type ActsByTask = Readonly<Record<string, Acts | readonly Acts[]>>;

export const actingAgent = `
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
const beside = (name) => join(import.meta.dirname, name);
const { DIVISI_TASK: task, DIVISI_RUN: run, DIVISI_ATTEMPT: attempt, DIVISI_DELEGATION: delegation, DIVISI_AGENT: agent } = process.env;
const { DIVISI_WORKLOG_PATH: worklog, DIVISI_REPORT_PATH: report } = process.env;
const told = [JSON.parse(readFileSync(beside('acts.json'), 'utf8'))[task] ?? { write: { [task + '.txt']: 'done\\n' } }].flat();
const acts = told[attempt - 1] ?? told.at(-1);
const there = readdirSync('.', { recursive: true }).filter((path) => !/^\\.(git|divisi)(\\/|$)/.test(path));
mkdirSync(beside('seen'), { recursive: true });
writeFileSync(beside('seen/' + task + '-' + attempt + '.json'), JSON.stringify(there.sort()));
writeFileSync(beside('seen/' + task + '-' + attempt + '.prompt'), readFileSync(0, 'utf8'));
appendFileSync(beside('starts.log'), task + ' ' + attempt + '\\n');
const pause = () => new Promise((resolve) => setTimeout(resolve, 20));
const branch = () => spawnSync('git', ['-C', beside('../project'), 'log', '--format=%B', 'refs/heads/divisi/' + run], { encoding: 'utf8' }).stdout;
if (acts.afterStart) while (!readFileSync(beside('starts.log'), 'utf8').includes(acts.afterStart + '\\n')) await pause();
if (acts.afterMerge) while (!branch().includes('Divisi-Task: ' + acts.afterMerge + '\\n')) await pause();
const each = (what) => Object.entries(acts[what] ?? {});
const made = (path) => (mkdirSync(dirname(path), { recursive: true }), path);
const did = {};
for (const path of acts.delete ?? []) (rmSync(path, { recursive: true, force: true }), did[path] = 'delete');
for (const [from, to] of each('rename')) (renameSync(from, made(to)), did[to] = 'rename', did[from] = 'delete');
for (const [path, text] of each('write')) (did[path] = existsSync(path) ? 'edit' : 'create', writeFileSync(made(path), text));
for (const [path, text] of each('append')) (did[path] = existsSync(path) ? 'edit' : 'create', appendFileSync(made(path), text));
for (const [path, target] of each('link')) (symlinkSync(target, made(path)), did[path] = 'create');
for (const [path, mode] of each('mode')) (chmodSync(path, mode), did[path] ??= 'edit');
for (const [program, ...args] of acts.run ?? []) {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) (console.error(program + ' ' + args.join(' ') + ': ' + stderr), process.exit(9));
}
if (acts.leaves) {
  const { file, setsid } = acts.leaves;
  const loop = ['sh', '-c', 'while :; do echo late >> "$1"; sleep 0.02; done', 'left-behind', made(file)];
  const [program, ...args] = setsid ? ['setsid', ...loop] : loop;
  spawn(program, args, { stdio: 'ignore' }).unref();
  while (!existsSync(file)) await pause();
}
if (acts.exits !== undefined) (console.error('gave up'), process.exit(acts.exits));
const summary = acts.summary ?? 'Did what ' + task + ' asks for.';
if (agent.endsWith('reviewer') || agent === 'auditor') {
  writeFileSync(report, '# Review\\n');
  console.log((acts.verdict ?? 'LOW') + '|see-the-report|' + report);
} else if (acts.artifacts) {
  const artifacts = acts.artifacts.map((path) => ({ type: 'report', path, summary: 'what was found' }));
  const path = ['orchestrator', agent];
  console.log(JSON.stringify({ status: 'completed', summary, artifacts, next_steps: 'none',
    metadata: { session_id: delegation, agent_type: agent, delegation_depth: 1, delegation_path: path } }));
} else {
  const files = Object.entries(acts.claims ?? did).map(([resource, action]) => ({ resource, action }));
  const checks = [{ criterion: acts.criterion ?? 'C1, C2, C3: it is done', status: 'pass', evidence: acts.evidence ?? 'looked at it' }];
  console.log('---\\nschema_version: 1.0.0\\nrun_id: ' + run + '\\ntask_id: "' + task + '"\\nstatus: done\\nfiles_touched: ' +
    JSON.stringify(files) + '\\nacceptance_check: ' + JSON.stringify(checks) +
    '\\nnotes_for_orchestrator: ' + JSON.stringify(acts.notes ?? []) + '\\nworklog_path: ' + worklog + '\\n---\\n## Summary\\n' + summary);
}
process.exit(0);
`;
