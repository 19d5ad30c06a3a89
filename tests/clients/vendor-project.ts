/** A project whose plan is worked on by agents of several vendors, all of which share one scripted model. */
import { join } from 'node:path';
import { git, makeRepository, put } from '../support/git-project.ts';
import type { Around } from '../support/running.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import type { DialectName, JsonObject, ModelRequest, Script, Step } from './model-api/script.ts';
import { type ClientName, pointAt, programsIn } from './programs.ts';

// See `groundFor`: Codex needs a home that is not below a folder for temporary files.
const homes = temporaryFolders('/var/tmp');

const speakers: Readonly<Partial<Record<DialectName, string>>> = {
  anthropic: 'claude',
  responses: 'codex',
  gemini: 'gemini',
};
export const vendorOf = ({ dialect, model }: ModelRequest): string => speakers[dialect] ?? model.replace('mock-', '');

/** What stands in the prompt of a delegation. */
function told({ messages }: ModelRequest, pattern: RegExp): string {
  const prompt = messages.map(({ text }) => text).join('\n');
  return pattern.exec(prompt)?.[1] ?? '';
}

export const taskOf = (request: ModelRequest): string => told(request, /# Your task: (\S+)/);
const reviewOf = (request: ModelRequest): string => told(request, /Write the full text to (\S+) first/);

const carriesReview = ({ messages }: ModelRequest): boolean =>
  messages.some(({ text }) => text.includes('report_text'));

function returned(result: JsonObject): Step {
  return { does: 'return', result, words: JSON.stringify(result) };
}

function worked(request: ModelRequest): Step {
  const task = taskOf(request);
  return returned({
    schema_version: '1.0.0',
    run_id: told(request, /run (run_\w+), delegation/),
    task_id: task,
    status: 'completed',
    files_touched: [{ resource: `${task}.txt`, action: 'create' }],
    acceptance_check: [{ criterion: 'C1: run: true', status: 'pass', evidence: 'true: exit code 0' }],
    notes_for_orchestrator: [],
    worklog_path: `worklogs/${task}.jsonl`,
    summary: `Wrote ${task}.txt.`,
    decisions: [],
    issues: [],
  });
}

/** Does its task, or finds the work of the others good. */
export const willing: Script = (request) => {
  const review = reviewOf(request);
  if (request.results.some((text) => text.includes('Received.'))) return { does: 'say', text: 'Done.' };
  if (carriesReview(request)) {
    return returned({ priority: 'LOW', action: 'nothing-to-do', report_text: '# Review\nAll is well.\n' });
  }
  if (review === '') {
    return request.turn === 0
      ? { does: 'write', path: `${taskOf(request)}.txt`, text: `by ${vendorOf(request)}\n` }
      : worked(request);
  }
  if (request.turn === 0) return { does: 'write', path: review, text: '# Review\nAll is well.\n' };
  return returned({ priority: 'LOW', action: 'nothing-to-do', path: review });
};

export interface Sample {
  readonly config: string;
  /** With the drivers they have of their own. */
  readonly agents?: Readonly<Record<string, ClientName>>;
  /** Tier and agent by task. */
  readonly tasks: Readonly<Record<string, readonly [tier: string, agent: string]>>;
  readonly variables?: Readonly<Record<string, string>>;
}

/** Makes it in a folder that is empty, and answers what a command is to be called with there. */
export function vendorProject(
  root: string,
  url: string,
  { config, agents = {}, tasks, variables = {} }: Sample,
): Required<Pick<Around, 'cwd' | 'variables'>> {
  const [home, project] = [homes(), join(root, 'project')];
  const rows = Object.entries(tasks).map(
    ([id, [tier, agent]]) => `| ${id} | Write ${id}.txt | ${tier} | [ ] | ${id}.txt | run: true | ${agent} |`,
  );
  const head = ['| ID | Task | Tier | Status | Scope | Accept | Agent |', '|---|---|---|---|---|---|---|'];
  put(project, {
    'README.md': 'A project.\n',
    '.divisi/config.yaml': `${config}grace: 1\n`,
    'plan.md': ['# Plan: Vendors', '', '## Wave 1: All', '', ...head, ...rows, ''].join('\n'),
    ...Object.fromEntries(
      Object.entries(agents).map(([name, driver]) => [
        `.divisi/agents/${name}.md`,
        `---\nname: ${name}\ndescription: works\ndriver: ${driver}\n---\n\nWork with care.\n`,
      ]),
    ),
  });
  makeRepository(project);
  const clients: readonly ClientName[] = ['claude', 'codex', 'gemini', 'opencode', 'goose', 'copilot'];
  const pointed = Object.assign({}, ...clients.map((client) => pointAt(url, client, home))) as Record<string, string>;
  const PATH = `${programsIn(join(root, 'bin'))}:/usr/bin:/bin`;
  return { cwd: project, variables: { ...pointed, ...variables, PATH } };
}

/** What the run has brought together. */
export function broughtHome(project: string, file: string): string {
  const [branch = ''] = git(project, 'branch', '--list', '--format=%(refname:short)', 'divisi/run_*').split('\n');
  return git(project, 'show', `${branch}:${file}`);
}
