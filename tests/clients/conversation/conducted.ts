/** A project whose plan a conversation conducts, with the plugin and the command as they are built from these sources. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesOf } from '../../../src/delegation/delegation-files.ts';
import type { RecordedEvent } from '../../../src/ledger/read-events.ts';
import { makeRepository, put } from '../../support/git-project.ts';
import { ledgerOf } from '../../support/project.ts';
import { repository } from '../../support/repository.ts';
import type { Files } from '../../support/temporary-folder.ts';
import { mainFile } from '../../support/divisi.ts';
import { string } from '../model-api/fields.ts';
import type { ModelRequest, Step } from '../model-api/script.ts';
import { call, callAll, type Cast, say } from './actors.ts';
import { type Exchange, exchangesIn } from './captured.ts';
import type { HeadlessEnd } from './headless.ts';
import { fileOf } from './players.ts';
import { openStage, type Setting, type Stage } from './stage.ts';

/** As it is in the repository; what is installed calls a command named `divisi`. */
export const plugin = join(repository, 'plugin');

/** Fills a folder with that command, to be put on a PATH: hooks in their bundle, everything else as tests have it. */
export function commandIn(folder: string): string {
  mkdirSync(folder, { recursive: true });
  execFileSync(process.execPath, [join(repository, 'tools/bundle.ts'), join(folder, 'dist')]);
  const lines = [
    '#!/bin/sh',
    `if [ "$1" = hook ]; then exec '${process.execPath}' '${join(folder, 'dist/hook.cjs')}' "$@"; fi`,
    `exec '${process.execPath}' '${mainFile}' "$@"`,
  ];
  return programIn(folder, 'divisi', lines.join('\n'));
}

/** Answers the folder. */
export function programIn(folder: string, name: string, text: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `${text}\n`);
  chmodSync(join(folder, name), 0o755);
  return folder;
}

export interface PlannedRow {
  readonly id: string;
  readonly scope?: string;
  readonly after?: string;
  readonly accept?: string;
  readonly tier?: string;
}

export interface SampleConducted {
  /** Of its waves; an id alone may change its own file. */
  readonly waves: readonly (readonly (string | PlannedRow)[])[];
  readonly settings?: readonly string[];
  /** Lines between the settings and the waves. */
  readonly more?: readonly string[];
  readonly config?: string;
  readonly files?: Files;
}

/** Below a folder, with everything in its first commit; answers the project. */
export function conductedProject(root: string, sample: SampleConducted): string {
  const project = join(root, 'project');
  const { config = '', files = {} } = sample;
  put(project, {
    'src/given.txt': 'given\n',
    '.divisi/config.yaml': config,
    'plan.md': planOf(sample),
    ...files,
  });
  makeRepository(project);
  return project;
}

function planOf({ waves, settings = [], more = [] }: SampleConducted): string {
  const tables = waves.map((rows, at) =>
    [
      `## Wave ${at + 1}: Part ${at + 1}\n`,
      '| ID | Task | Status | Deps | Scope | Accept | Tier |',
      '|---|---|---|---|---|---|---|',
      ...rows.map((row) => {
        const one: PlannedRow = typeof row === 'string' ? { id: row } : row;
        const { id, scope = fileOf(id), after = '-', accept = '', tier = '' } = one;
        return `| ${id} | Write ${id} | [ ] | ${after} | ${scope} | ${accept} | ${tier} |`;
      }),
      '',
    ].join('\n'),
  );
  const given = ['Concurrency: 8', ...settings].map((line) => `- ${line}`);
  return ['# Plan: Sample', '', '## Settings', '', ...given, '', ...more, '', ...tables].join('\n');
}

const server = 'mcp__plugin_divisi_divisi__';

export const ask = (tool: string, input: Readonly<Record<string, unknown>> = {}): Step =>
  call(`${server}${tool}`, input);

export const conduct = (more: Readonly<Record<string, unknown>> = {}): Step =>
  ask('run', { plan: 'plan.md', here: true, ...more });

/** The conductor gives these tasks to subagents, all in one answer. */
export function delegate(tasks: readonly string[], more: Readonly<Record<string, unknown>> = {}): Step {
  const input = (task: string): Readonly<Record<string, unknown>> => ({
    description: task,
    prompt: `divisi ${task}`,
    subagent_type: 'divisi:worker-standard',
    ...more,
  });
  return callAll(...tasks.map((task) => ['Agent', input(task)] as const));
}

export interface Scene extends Stage {
  readonly project: string;
  readonly play: (prompt?: string, ...args: readonly string[]) => Promise<HeadlessEnd>;
  /** Of the newest run. */
  readonly events: () => readonly RecordedEvent[];
  /** In the last request of main: what the calls of a tool gave, in their order. */
  readonly results: (tool: string) => readonly string[];
  /** What became of delegations, without the client's frame, by what the conductor asked for. */
  readonly briefs: () => Readonly<Record<string, string>>;
  /** What agents in the background have left in the conversation, by the same. */
  readonly notices: () => Readonly<Record<string, string>>;
  /** All that main was ever told, as it went over the wire. */
  readonly heard: () => string;
  /** Text of a file of the project; undefined where there is none. */
  readonly file: (path: string) => string | undefined;
}

export type SceneSetting = Omit<Setting, 'project'> & { readonly project: string };

/** What a person has allowed beside the mode. */
const allowed = ['--allowedTools', `${server}*`];

/** The newest client says whose words follow, and indents them; both say how to continue the agent. */
function unframed(result: string): string {
  const [, framed] = /The report follows:\n([^]*)/.exec(result) ?? [];
  const text = (framed ?? result).replaceAll(framed === undefined ? /(?!)/g : /^ {2}/gm, '');
  return text.replace(/\n?agentId: [^]*$/, '');
}

/** By the id of the task, with which the label begins. */
const notice = /<summary>Agent "([^" ]*)[^"]*"[^]*?<\/summary>[^]*?<result>([^]*?)<\/result>/g;

export async function openScene(cast: Cast, setting: SceneSetting): Promise<Scene> {
  const { project } = setting;
  const main = [...cast.main, say('That is all.')];
  const stage = await openStage({ ...cast, main }, { mode: 'acceptEdits', plugins: [plugin], ...setting });
  const last = (): ModelRequest[] => stage.mainRequests().slice(-1);
  const exchanges = (tool: string): Exchange[] =>
    last()
      .flatMap(exchangesIn)
      .filter(({ name }) => name === tool || name === `${server}${tool}`);
  return {
    ...stage,
    project,
    play: (prompt = 'Go.', ...args) => stage.headless(prompt, ...allowed, ...args).ended,
    events: () => ledgerOf(project).events,
    results: (tool) => exchanges(tool).map(({ result = '' }) => result),
    briefs: () =>
      Object.fromEntries(
        exchanges('Agent').map(({ input, result = '' }) => [string(input['description']), unframed(result)]),
      ),
    notices: () => {
      const text = last().flatMap(({ messages }) => messages.map(({ text: one }) => one));
      return Object.fromEntries(
        [...text.join('\n').matchAll(notice)].map(([, about = '', said = '']) => [about, said]),
      );
    },
    heard: () => JSON.stringify(stage.mainRequests().map(({ body }) => body['messages'])),
    file: (path) => (existsSync(join(project, path)) ? readFileSync(join(project, path), 'utf8') : undefined),
  };
}

/** `1.1 verified`: what became of each attempt, with all that was found. */
export function verdicts(events: readonly RecordedEvent[]): string[] {
  return events.flatMap((event) =>
    event.kind === 'task.verified'
      ? [[event.task, event.verification.verdict, ...event.verification.findings.map(({ kind }) => kind)].join(' ')]
      : [],
  );
}

type Kind = RecordedEvent['kind'];

export function eventsOfKind<K extends Kind>(
  events: readonly RecordedEvent[],
  kind: K,
): Extract<RecordedEvent, { kind: K }>[] {
  return events.filter((event): event is Extract<RecordedEvent, { kind: K }> => event.kind === kind);
}

/** Where a task of the newest run has its report. */
export function reportOf(events: readonly RecordedEvent[], task: string, wave = 1): string {
  const [created] = eventsOfKind(events, 'run.created');
  return filesOf(created?.run ?? '', wave, task, '').report;
}

/** `1.1`: which task an event is about that names its delegation alone. */
export function taskOfDelegation(events: readonly RecordedEvent[], delegation: string): string {
  return eventsOfKind(events, 'delegation.registered').find((one) => one.delegation === delegation)?.task ?? '';
}
