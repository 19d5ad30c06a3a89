/** A project whose agents describe and build features by a script: a real repository, a real program for each step. */
import { findHome } from '../support/rooms.ts';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordedEvent } from '../../src/ledger/read-events.ts';
import { gitIn } from '../support/committed-project.ts';
import { ledgerOf } from '../support/project.ts';
import type { Files } from '../support/temporary-folder.ts';

/** Of one task. What is in `fields` takes the place of what the agent would say. */
export interface FeatureAct {
  readonly fields?: Readonly<Record<string, unknown>>;
  /** Instead of a return, each time it is asked; with `repaired`, until it has been asked again so often. */
  readonly says?: string;
  readonly repaired?: number;
  /** How many phases the document has. */
  readonly phases?: number;
  /** Milliseconds. */
  readonly takes?: number;
}

const no = { approved: false, issues_total: 1, critical: ['It is wrong'], recommendation: 'revise' };
const notReady = { ready_to_merge: false, blocking_issues: ['It cannot be undone'], final_recommendation: 'revise' };
export const saysNo: FeatureAct = { fields: no };
export const isNotReady: FeatureAct = { fields: notReady };

const agent = `
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
${findHome}const { DIVISI_TASK: task, DIVISI_AGENT: agent, DIVISI_ATTEMPT: attempt } = process.env;
const isRepair = process.argv.includes('--repair');
const all = JSON.parse(readFileSync(home + '/acts.json', 'utf8'));
const acts = all[task] ?? {};
const log = home + '/said.log';
appendFileSync(log, (isRepair ? 'repair ' : 'start ') + task + ' ' + attempt + '\\n');
if (acts.takes) await new Promise((resolve) => setTimeout(resolve, acts.takes));
const put = (path, text) => (mkdirSync(dirname(path), { recursive: true }), writeFileSync(path, text));
const [slug, phase] = task.split('.');
const shown = (value) => (Array.isArray(value) ? '[' + value.join(', ') + ']' : value);
const say = (fields) => {
  const repairs = readFileSync(log, 'utf8').split('\\n').filter((line) => line === 'repair ' + task + ' ' + attempt).length;
  if (acts.says !== undefined && !(repairs >= acts.repaired)) return console.log(acts.says);
  const lines = Object.entries({ ...fields, ...acts.fields }).map(([key, value]) => key + ': ' + shown(value));
  console.log('I am done.\\n---OUTPUT---\\n' + lines.join('\\n') + '\\n---END---');
};
if (agent === 'todo-doc-generator') {
  const phases = acts.phases ?? 1;
  const path = '.divisi/features/' + slug + '-TODO.md';
  const part = (number) => '## Phase ' + number + ': Part ' + number + ' of ' + slug + '\\n\\n- [ ] step ' + number + '\\n';
  put(path, '# ' + slug + '\\n\\n' + Array.from({ length: phases }, (_, at) => part(at + 1)).join('\\n'));
  say({ path, dependencies: 'none', priority: 3, phases, complexity: 'low' });
} else if (agent === 'tdd-task-executor') {
  const file = 'src/' + slug + '/' + task + '.txt';
  put(file, task + '\\n');
  const total = all[slug + '.doc']?.phases ?? 1;
  say({ phase: phase + '/' + total, phase_complete: true, files_changed: [], files_created: [file], tests_added: 1,
    tests_passing: true, test_failures: 'none', blockers: 'none', next_action: 'review' });
} else if (agent === 'code-reviewer') {
  say({ approved: true, issues_total: 0, critical: 'none', major: 'none', minor: 'none', security: 'none',
    test_coverage: 'adequate', recommendation: 'approve' });
} else if (agent === 'review-pr') {
  say({ ready_to_merge: true, blocking_issues: 'none', warnings: 'none', test_status: 'all-pass', files_reviewed: 1,
    approval_confidence: 'high', final_recommendation: 'merge' });
} else if (agent === 'silent-failure-hunter') {
  say({ silent_failures_found: 1, locations: ['src/a.txt:1 - nobody hears of it'], severity: 'low', recommendations: ['Say it'] });
}
`;

const command = JSON.stringify([process.execPath, 'agent.mjs']);
const repair = JSON.stringify([process.execPath, 'agent.mjs', '--repair']);

export function featureProject(
  folder: (files?: Files) => string,
  acts: Readonly<Record<string, FeatureAct>> = {},
): string {
  const cwd = folder({
    'agent.mjs': agent,
    'acts.json': JSON.stringify(acts),
    '.gitconfig': '[user]\n\tname = Ada Example\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n',
    '.gitignore': '.gitconfig\n*.log\nacts.json\n',
    '.divisi/config.yaml': `driver: own\ngrace: 0\ndrivers: { own: { kind: command, argv: ${command}, repair: ${repair} } }\n`,
  });
  gitIn(cwd, 'init', '--quiet');
  gitIn(cwd, 'add', '-A');
  gitIn(cwd, 'commit', '--quiet', '-m', 'First');
  return cwd;
}

export function behave(cwd: string, acts: Readonly<Record<string, FeatureAct>>): void {
  writeFileSync(join(cwd, 'acts.json'), JSON.stringify(acts));
}

export function text(cwd: string, path: string): string {
  return readFileSync(join(cwd, path), 'utf8');
}

export const master = (cwd: string): string => text(cwd, '.divisi/MASTER.md');

/** Which attempts were begun, in order. */
export function begun(cwd: string): string[] {
  const file = join(cwd, 'said.log');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  return lines.flatMap((line) => (line.startsWith('start ') ? [line.slice('start '.length)] : []));
}

/** What is on the run's branch, the oldest first; and what the ledger says that is. */
export function branchOf(cwd: string): { readonly commits: readonly string[]; readonly recorded: readonly string[] } {
  const { report, events } = ledgerOf(cwd);
  const branch = report.workspace?.branch ?? '';
  const commits = gitIn(cwd, 'log', '--reverse', '--format=%H', `main..${branch}`).split('\n');
  const mergedBy = (event: RecordedEvent): string[] => (event.kind === 'task.merged' ? [event.commit] : []);
  return { commits: commits.filter((commit) => commit !== ''), recorded: events.flatMap(mergedBy) };
}
