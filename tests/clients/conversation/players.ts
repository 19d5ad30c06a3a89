/** Scripted agents of a conducted run, which take what they need from the prompt that code wrote for them. */
import type { ModelRequest, Step } from '../model-api/script.ts';
import { call, type Line, type Part, say, toldFirst } from './actors.ts';

/** Of the prompt: the first thing that the expression has in brackets. */
function named(request: Pick<ModelRequest, 'messages'>, what: RegExp): string {
  const found = what.exec(toldFirst(request))?.[1];
  if (found === undefined) throw new Error(`the prompt does not say ${what.source}: ${toldFirst(request)}`);
  return found;
}

const taskOf = (request: ModelRequest): string => named(request, /# Your task: (\S+)/);
export const reportPathOf = (request: ModelRequest): string => named(request, /(\.divisi\/runs\/\S+?\.md)/);

interface Claims {
  /** Those it says that it created; `edit:` before one that it changed. */
  readonly files?: readonly string[];
  readonly status?: string;
  readonly summary?: string;
  /** Behind everything else. */
  readonly more?: string;
}

/** A return that the contract of workers accepts. */
export function report(request: ModelRequest, claims: Claims = {}): string {
  const task = taskOf(request);
  const { files = [fileOf(task)], status = 'done', summary = `Wrote the file of ${task}.`, more = '' } = claims;
  const touched = files.map((file) => {
    const [, action = 'create', resource = ''] = /^(?:(\w+):)?(.*)$/.exec(file) ?? [];
    return `{ resource: ${resource}, action: ${action} }`;
  });
  return `---
schema_version: 1.0.0
run_id: ${named(request, /\brun (run_\w+)/)}
task_id: "${task}"
status: ${status}
files_touched: [${touched.join(', ')}]
acceptance_check: [{ criterion: "C1, C2: the file is there", status: pass, evidence: "ls: found" }]
notes_for_orchestrator: []
worklog_path: ${named(request, /worklog in (\S+),/)}
---
## Summary
${summary}
${more}`;
}

/** Its own and no one else's, by the plan of `conductedProject`. */
export const fileOf = (task: string): string => `src/${task}.txt`;

export const write = (project: string, path: string, content = `${path}\n`): Step =>
  call('Write', { file_path: `${project}/${path}`, content });

/** Asked for a line and nothing else, it says that line. */
function obeys({ messages }: ModelRequest): Step {
  const asked = messages.findLast(({ role }) => role === 'user')?.text ?? '';
  return say(/exactly this line and nothing else: (.*)/.exec(asked)?.[1] ?? 'I have nothing to add.');
}

export const part = (task: string, ...lines: readonly Line[]): Part => ({
  told: new RegExp(`# Your task: ${task.replaceAll('.', String.raw`\.`)}$`, 'm'),
  lines: [...lines, obeys],
});

/** Writes its file, and returns. */
export function worker(project: string, task: string, claims: Claims = {}): Part {
  return part(task, write(project, fileOf(task)), (request) => say(report(request, claims)));
}

/** Reviews whatever comes, and finds nothing. */
export const reviewers = (project: string): Part => ({
  told: /# Your task: \S+:review$/m,
  lines: [
    (request) => write(project, reportPathOf(request), '# Review\nFine.\n'),
    (request) => say(`LOW|nothing-to-do|${reportPathOf(request)}`),
  ],
});

/** Resolves for all of them when the last of so many is there. */
export function together(count: number): () => Promise<void> {
  let left = count;
  const { promise, resolve } = Promise.withResolvers<void>();
  return () => {
    left -= 1;
    if (left === 0) resolve();
    return promise;
  };
}
