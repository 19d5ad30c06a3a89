/** A conversation with the plugin running: Divisi as these sources have it, and the parts of a conductor and its agents. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordedEvent } from '../../../src/ledger/read-events.ts';
import { readLedger } from '../../../src/project/project-ledger.ts';
import { makeRepository, put } from '../../support/git-project.ts';
import { repository } from '../../support/repository.ts';
import { environment, mainFile } from '../../support/divisi.ts';
import type { Message, ModelRequest, Step } from '../model-api/script.ts';
import { call, callAll, type Line, type Part, say, toldFirst } from './actors.ts';
import type { Setting } from './stage.ts';

export const toolOf = (name: string): string => `mcp__plugin_divisi_divisi__${name}`;

/** The command on the client's PATH, and the plugin that calls it. */
export function withDivisi(root: string): Pick<Setting, 'root' | 'plugins' | 'folders' | 'variables'> {
  const folder = join(root, 'bin');
  mkdirSync(folder);
  writeFileSync(join(folder, 'divisi'), `#!/bin/sh\nexec '${process.execPath}' '${mainFile}' "$@"\n`);
  chmodSync(join(folder, 'divisi'), 0o755);
  const { NODE_COMPILE_CACHE = '' } = environment(root);
  return { root, plugins: [join(repository, 'plugin')], folders: [folder], variables: { NODE_COMPILE_CACHE } };
}

/** A repository with a plan; each task writes the file of its name in `src`. */
export function conductedProject(root: string, waves: readonly (readonly string[])[] = [['1.1', '1.2']]): string {
  const project = join(root, 'project');
  const tables = waves.map((tasks, at) =>
    [
      `## Wave ${at + 1}: Part ${at + 1}\n\n| ID | Task | Status | Deps | Scope |\n|---|---|---|---|---|`,
      ...tasks.map((id) => `| ${id} | Write the file of ${id} | [ ] | - | src/${id}.txt |`),
    ].join('\n'),
  );
  put(project, { 'plan.md': `# Plan: Sample\n\n${tables.join('\n\n')}\n`, 'src/known.txt': 'known\n' });
  makeRepository(project);
  return project;
}

/** Everything in a request, as one text. */
export function textOf(request: ModelRequest | undefined): string {
  return (request?.messages ?? []).map(({ text }) => text).join('\n');
}

type Kind = RecordedEvent['kind'];

/** Of the newest run: all of them, or those of a kind; none where there is no run yet. */
export function eventsOf(project: string): readonly RecordedEvent[];
export function eventsOf<K extends Kind>(project: string, kind: K): readonly Extract<RecordedEvent, { kind: K }>[];
export function eventsOf(project: string, kind?: Kind): readonly RecordedEvent[] {
  const ledger = readLedger(project);
  const [row] = ledger.runs();
  const events = row === undefined ? [] : [...ledger.read(row.run)];
  ledger.close();
  return events.filter((event) => kind === undefined || event.kind === kind);
}

/** What was said since the last answer; one that the client has made up for a conversation that was cut off is none. */
function news({ messages }: Pick<ModelRequest, 'messages'>): string {
  const last = messages.findLastIndex(({ role, text }) => role === 'assistant' && text !== 'No response requested.');
  return messages
    .slice(last + 1)
    .map(({ text }: Message) => text)
    .join('\n');
}

const offer = /([\w.:-]+) \((divisi:[\w-]+)\)/g;

/**
 * Does what a prompt asks for in these words. Otherwise delegates what was offered since, each once unless it was told again
 * where the run is, and says so when there is nothing to do.
 */
export function mainThat(prompts: Readonly<Record<string, Step>> = {}): Line {
  const delegated = new Set<string>();
  const offered = new Map<string, string>();
  return (request) => {
    const said = news(request);
    if (/Divisi run run_\w+ /.test(said)) delegated.clear();
    for (const [, task = '', type = ''] of said.matchAll(offer)) if (!delegated.has(task)) offered.set(task, type);
    const asked = Object.keys(prompts).find((words) => said.includes(words));
    if (asked !== undefined) return prompts[asked] ?? say('What?');
    const calls = [...offered].map(
      ([task, type]) => ['Agent', { description: task, prompt: `divisi ${task}`, subagent_type: type }] as const,
    );
    for (const task of offered.keys()) delegated.add(task);
    offered.clear();
    if (calls.length > 0) return callAll(...calls);
    return say(said.includes('The run is completed.') ? 'All is done.' : 'I wait.');
  };
}

export const conductPlan: Step = call(toolOf('run'), { plan: 'plan.md', here: true });

const found = (text: string, pattern: RegExp): string => pattern.exec(text)?.[1] ?? '';

/** As the contract of workers has it, as long as is wanted. */
export function reportOf(request: ModelRequest, characters = 0): string {
  const told = toldFirst(request);
  const task = found(told, /# Your task: (\S+)/);
  return `---
schema_version: 1.0.0
run_id: ${found(told, /run (run_\w+)/)}
task_id: "${task}"
status: done
files_touched:
  - resource: src/${task}.txt
    action: create
acceptance_check:
  - criterion: "C1, C2: it is there"
    status: pass
    evidence: cat src/${task}.txt
notes_for_orchestrator: []
worklog_path: ${found(told, /worklog in (\S+),/)}
---
## Summary
Wrote the file of ${task}.

## Decisions
`.padEnd(characters, '- decided something that takes a line\n');
}

export const reportPathOf = (request: ModelRequest): string => found(toldFirst(request), /(\.divisi\/runs\/\S+?\.md)/);

/** The line that an agent in the background is asked to end with. */
const lineAskedFor: Line = (request) =>
  say(found(news(request), /exactly this line and nothing else: (.*)/) || 'What?');

/** Somebody waits until it is opened. */
export function held(): { readonly wait: () => Promise<void>; readonly open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { wait: () => promise, open: () => resolve() };
}

export const writes =
  (project: string) =>
  (request: ModelRequest): Step => {
    const task = found(toldFirst(request), /# Your task: (\S+)/);
    return call('Write', { file_path: join(project, `src/${task}.txt`), content: `by ${task}\n` });
  };

/** Waits if it is told to, writes its file, and returns its report as its last message. */
export function worker(project: string, characters = 3000, wait = async (): Promise<void> => undefined): Part {
  const write: Line = async (request) => {
    await wait();
    return writes(project)(request);
  };
  return { told: /# Your task: \d/, lines: [write, (request) => say(reportOf(request, characters)), lineAskedFor] };
}

/** Finds everything good. */
export function reviewer(project: string): Part {
  return {
    told: /# Your task: \S+:review/,
    lines: [
      (request) => call('Write', { file_path: join(project, reportPathOf(request)), content: '# Review\nFine.\n' }),
      (request) => say(`LOW|go-on|${reportPathOf(request)}`),
    ],
  };
}
