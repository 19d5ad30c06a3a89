/** A project with a plan and a worker program that does, for each task, what the test asks of it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordedEvent } from '../../src/ledger/read-events.ts';
import { readLedger } from '../../src/project/project-ledger.ts';
import { foldRun } from '../../src/ledger/fold-run.ts';
import { type RunReport, runReport } from '../../src/views/run/run-report.ts';
import { findHome, findHomeInShell } from './rooms.ts';
import type { Files } from './temporary-folder.ts';
import { stateFolder } from '../../src/workspace/places.ts';

/**
 * `work`: writes its file and says so. `prose`: says something else first. `bad`: says it wrongly each time. `fail`: exits
 * with 3. `hang`: until it is ended, even against a polite signal if `stubborn`. `hold`: until there is a file `go-on`.
 * `quota`: has none for a second. `asks`: does not know what is meant. Each says that it used what is in `usage.json`.
 *
 * Agents that review say LOW when they `work`, or the word they are given.
 */
export type Behaviour =
  | 'work'
  | 'prose'
  | 'bad'
  | 'fail'
  | 'hang'
  | 'stubborn'
  | 'hold'
  | 'quota'
  | 'asks'
  | 'HIGH'
  | 'MED';

/** Of a task, or of each attempt at it; the last one continues. */
export type Behaviours = Readonly<Record<string, Behaviour | readonly Behaviour[]>>;

/** For workers that only look, or leave a trace: they do it in the project, whatever folder they work in. */
export const inProject = `${findHome}process.chdir(home);`;

const worker = `
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
const { DIVISI_TASK: task, DIVISI_RUN: run, DIVISI_WORKLOG_PATH: worklog, DIVISI_ATTEMPT: attempt, DIVISI_AGENT: agent, DIVISI_REPORT_PATH: report } = process.env;
${findHome}const at = (name) => home + '/' + name;
const isRepair = process.argv.includes('--repair');
if (existsSync(at('usage.json'))) writeFileSync(process.env.DIVISI_USAGE_FILE, readFileSync(at('usage.json')));
const { [task]: told = 'work' } = existsSync(at('behave.json')) ? JSON.parse(readFileSync(at('behave.json'), 'utf8')) : {};
const how = [told].flat()[attempt - 1] ?? [told].flat().at(-1);
const isReviewer = ['wave-reviewer', 'task-reviewer', 'auditor'].includes(agent);
if (isReviewer && !isRepair) appendFileSync(at('reviews.log'), task + ' ' + agent + ' ' + process.env.DIVISI_TIER + '\\n');
if (isReviewer && ['work', 'MED', 'HIGH'].includes(how)) {
  writeFileSync(report, '# Review\\n');
  console.log((how === 'work' ? 'LOW|nothing-to-do|' : how + '|fix-the-' + how + '|') + report);
  process.exit(0);
}
const sleep = (time) => new Promise((resolve) => setTimeout(resolve, time));
if (how === 'stubborn') process.on('SIGTERM', () => appendFileSync(at('said.log'), 'no ' + task + '\\n'));
appendFileSync(at('said.log'), (isRepair ? 'repair ' : 'start ') + task + ' ' + attempt + '\\n');
if (how === 'hang' || how === 'stubborn') for (;;) await sleep(1000);
if (how === 'hold') while (!existsSync(at('go-on'))) await sleep(10);
if (how === 'fail') {
  console.error('out of luck');
  process.exit(3);
}
if (how === 'quota') {
  console.error('no more for now, retry after 1 s');
  process.exit(75);
}
if (!isRepair) writeFileSync(task + '.txt', 'done ' + attempt + '\\n');
if (how === 'prose' && !isRepair) {
  console.log('I did it all, trust me.');
  process.exit(0);
}
await sleep(20);
appendFileSync(at('said.log'), 'end ' + task + '\\n');
const summary = existsSync(at('summary.txt')) ? readFileSync(at('summary.txt'), 'utf8') : 'Wrote the file of ' + task + '.';
console.log(\`---
schema_version: 1.0.0
run_id: \${run}
task_id: "\${task}"
status: \${how === 'bad' ? 'perhaps' : how === 'asks' ? 'blocked' : 'done'}
files_touched: [{ resource: \${task}.txt, action: create }]
acceptance_check: [{ criterion: the file is there, status: pass, evidence: "ls: found" }]
notes_for_orchestrator: []
worklog_path: \${worklog}
---
## Summary
\${summary}
\${how === 'asks' ? '## Issues\\n- Which of the two is meant?\\n' : ''}\`);
`;

/** The usual review, without the start of another Node; what is asked of it by name is the worker's business. */
const reviewer = `
${findHomeInShell}case $(cat "$home/behave.json") in *"\\"$DIVISI_TASK\\""*) exec "$1" worker.mjs;; esac
echo "$DIVISI_TASK $DIVISI_AGENT $DIVISI_TIER" >> "$home/reviews.log"
if [ -f "$home/usage.json" ]; then cp "$home/usage.json" "$DIVISI_USAGE_FILE"; fi
echo '# Review' > "$DIVISI_REPORT_PATH"
echo "LOW|nothing-to-do|$DIVISI_REPORT_PATH"
`;

export interface SamplePlan {
  readonly title?: string;
  /** Each task `ID`, `ID after OTHER`, or either with ` done` behind it. */
  readonly waves?: readonly (readonly string[])[];
  /** Lines of the settings, beside the commands. */
  readonly settings?: readonly string[];
  /** Whether the driver can ask again. */
  readonly repair?: boolean;
  readonly command?: string;
  /** What runs the agents that review, where it is not the command. */
  readonly review?: string;
  readonly more?: string;
}

function row(task: string): string {
  const [, id = '', after = '-', done] = /^(\S+)(?: after (\S+))?( done)?$/.exec(task) ?? [];
  return `| ${id} | Write the file of ${id} | [${done === undefined ? ' ' : 'x'}] | ${after} |`;
}

export function planText(plan: SamplePlan = {}): string {
  const { title = 'Sample', waves = [['1.1']], settings = [], repair = true, more = '' } = plan;
  const command = plan.command ?? `"${process.execPath}" worker.mjs`;
  const own = [
    `Command: ${command}`,
    ...(repair ? [`Repair: ${command} --repair`] : []),
    ...(plan.review === undefined ? [] : [`Review: ${plan.review}`]),
  ];
  const tables = waves.map((tasks, at) =>
    [
      `## Wave ${at + 1}: Part ${at + 1}`,
      '',
      '| ID | Task | Status | Deps |',
      '|---|---|---|---|',
      ...tasks.map(row),
    ].join('\n'),
  );
  return [
    `# Plan: ${title}`,
    '## Goal\nTo see it run.',
    `## Settings\n${[...own, ...settings].map((line) => `- ${line}`).join('\n')}`,
  ]
    .concat(tables, more === '' ? [] : [more])
    .map((part) => `${part}\n`)
    .join('\n');
}

export interface SampleProject extends SamplePlan {
  readonly file?: string;
  readonly behave?: Behaviours;
  readonly files?: Files;
}

/** The files of a project; running delegations get a second when a run is interrupted. */
export function projectFiles({ file = 'plan.md', behave = {}, files = {}, ...plan }: SampleProject = {}): Files {
  return {
    'worker.mjs': worker,
    'review.sh': reviewer,
    'behave.json': JSON.stringify(behave),
    '.divisi/config.yaml': 'grace: 1\n',
    [file]: planText(plan.command === undefined ? { review: `sh review.sh "${process.execPath}"`, ...plan } : plan),
    ...files,
  };
}

const lines = (file: string): string[] => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []);

/** What the workers of a project did, a line each; reviewers only say something here when they do not review. */
export function said(project: string): string[] {
  return lines(join(project, 'said.log'));
}

/** Which attempts were made at what, in order. */
export function startsOf(project: string): string[] {
  return said(project).flatMap((line) => (line.startsWith('start ') ? [line.slice('start '.length)] : []));
}

/** Who reviewed what, at which tier. */
export function reviewsOf(project: string): string[] {
  return lines(join(project, 'reviews.log'));
}

/** What the agents were told in each attempt at a task of the newest run. */
export function promptsOf(project: string, task: string): string[] {
  return ledgerOf(project).events.flatMap((event) => {
    if (event.kind !== 'delegation.registered' || event.task !== task) return [];
    const { run } = ledgerOf(project).report;
    return [readFileSync(join(stateFolder(project), 'runs', run, 'returns', `${event.delegation}.txt.prompt`), 'utf8')];
  });
}

/** The newest run as the ledger has it. */
export function ledgerOf(project: string): { readonly report: RunReport; readonly events: readonly RecordedEvent[] } {
  const ledger = readLedger(project);
  try {
    const [row] = ledger.runs();
    if (row === undefined) throw new Error('there is no run');
    return { report: runReport(foldRun(ledger, row.run)), events: [...ledger.read(row.run)] };
  } finally {
    ledger.close();
  }
}

export interface ShownEvent {
  readonly run: string;
  readonly kind: string;
  readonly [fact: string]: unknown;
}

/** One JSON object a line, or the test fails; without the report at the end of a run. */
export function eventsOf(stdout: string): ShownEvent[] {
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as ShownEvent)
    .filter(({ kind }) => kind !== undefined);
}
