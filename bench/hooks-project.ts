/** Projects as hooks find them: one that has nothing of ours, and one whose run a conversation conducts, at several moments. */
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withLedger } from '../src/project/project-ledger.ts';
import { conductPlan } from '../src/runtime/conducted/conduct-run.ts';
import { stateFolder } from '../src/workspace/places.ts';
import { gitEnvironment } from './workspace-repository.ts';

/** One hook at one moment. */
export interface HookCase {
  readonly name: string;
  /** Of the prepared folder; a hook gets a copy, since it may change something. */
  readonly folder: string;
  readonly event: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Whether this conversation conducts a run. */
  readonly isConducted: boolean;
}

const session = '00000000-0000-4000-8000-000000000001';
const [agent, task, scope] = ['a0000000000000001', '1.1', 'src/part-1.ts'];
const tasks = 8;

function planText(): string {
  const rows = Array.from({ length: tasks }, (_, at) => {
    return `| 1.${at + 1} | Move part ${at + 1} to the new interface | src/part-${at + 1}.ts | it uses the new interface | [ ] |`;
  });
  const head = ['| ID | Task | Scope | Accept | Status |', '|---|---|---|---|---|'];
  return [
    '# A new interface',
    '',
    '## Goal',
    'Every part uses it.',
    '',
    '## Wave 1: Parts',
    '',
    ...head,
    ...rows,
    '',
  ].join('\n');
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** What the client puts into every input; paths are filled in for the copy that a hook gets. */
function input(event: string, more: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { session_id: session, hook_event_name: event, permission_mode: 'acceptEdits', ...more };
}

const ofAgent = { agent_id: agent, agent_type: 'divisi:worker-standard' };
const delegating = {
  tool_name: 'Agent',
  tool_input: { description: 'Move part 1', prompt: `divisi ${task}`, subagent_type: 'divisi:worker-standard' },
  tool_use_id: 'toolu_1',
};
const editing = (project: string): object => ({
  tool_name: 'Edit',
  tool_input: { file_path: join(project, scope), old_string: 'old', new_string: 'new' },
  tool_use_id: 'toolu_2',
});

/** Where a hook finds its project, and the client's transcript of the conversation. */
export const projectIn = (folder: string): string => join(folder, 'project');
export const transcriptIn = (folder: string): string => join(folder, 'client', `${session}.jsonl`);

/** With its state, which is found by the path of the project; in the place of what was there. */
export function copyProject(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true });
  const [before, state] = [stateFolder(projectIn(from)), stateFolder(projectIn(to))];
  rmSync(state, { recursive: true, force: true });
  if (existsSync(before)) cpSync(before, state, { recursive: true });
}

/** The input with the places of the folder that the hook is given. */
export function inputIn(folder: string, { input: given }: Pick<HookCase, 'input'>): string {
  const project = projectIn(folder);
  const text = JSON.stringify({ ...given, cwd: project, transcript_path: transcriptIn(folder) });
  return text.replaceAll('PROJECT', project);
}

type RunHook = (folder: string, input: Readonly<Record<string, unknown>>) => string;

function emptyProject(folder: string): void {
  const project = projectIn(folder);
  for (let at = 1; at <= tasks; at += 1) write(join(project, `src/part-${at}.ts`), 'export const way = "old";\n');
  write(join(project, 'plan.md'), planText());
  write(transcriptIn(folder), '');
  const options = { cwd: project, env: gitEnvironment(folder) };
  for (const words of ['init -q .', 'add .', 'commit -q -m parts']) execFileSync('git', words.split(' '), options);
}

async function conduct(folder: string): Promise<void> {
  const project = projectIn(folder);
  const place = { project, environment: gitEnvironment(folder), warn: () => undefined };
  await withLedger(project, (ledger) => conductPlan(join(project, 'plan.md'), { ...place, ledger, session }));
}

/** The client's files about the agent, without their endings. */
const agentFile = (folder: string): string =>
  join(transcriptIn(folder).slice(0, -'.jsonl'.length), 'subagents', `agent-${agent}`);

/** Has the task delegated, and leaves what the client leaves: the transcript of an agent begins with its prompt. */
function delegate(folder: string, run: RunHook): string {
  const answer = JSON.parse(run(folder, input('PreToolUse', delegating))) as {
    hookSpecificOutput: { updatedInput: { prompt: string } };
  };
  const { prompt } = answer.hookSpecificOutput.updatedInput;
  const file = agentFile(folder);
  write(`${file}.jsonl`, `${JSON.stringify({ type: 'user', message: { role: 'user', content: prompt } })}\n`);
  write(
    `${file}.meta.json`,
    JSON.stringify({ agentType: 'divisi:worker-standard', toolUseId: 'toolu_1', spawnDepth: 1 }),
  );
  return prompt;
}

/** The agent does what it was asked for, and writes its report. Gives its last message, which the client writes down. */
function work(folder: string, prompt: string): string {
  const project = projectIn(folder);
  write(join(project, scope), 'export const way = "new";\n');
  const [, path = ''] = /report: (\S+\.md)/i.exec(prompt) ?? [];
  const [, id = ''] = /\brun (run_\w+)/.exec(prompt) ?? [];
  const report = `---
schema_version: "1.0.0"
run_id: "${id}"
task_id: "${task}"
status: done
files_touched:
  - resource: "${scope}"
    action: edit
acceptance_check:
  - criterion: "it uses the new interface"
    status: pass
    evidence: "node src/part-1.ts: no error"
notes_for_orchestrator: []
worklog_path: ".divisi/runs/${id}/worklogs/${task}.jsonl"
---

## Summary

Part one uses the new interface. Nothing else was touched, and it still loads.
`;
  write(join(project, path), report);
  const text = `Task completed. Report: ${path}`;
  const message = { id: 'msg_1', role: 'assistant', content: [{ type: 'text', text }] };
  appendFileSync(`${agentFile(folder)}.jsonl`, `${JSON.stringify({ type: 'assistant', message })}\n`);
  return text;
}

/** Each moment in a folder of its own under `root`. */
export async function prepareProjects(root: string, run: RunHook): Promise<HookCase[]> {
  const at = (name: string): string => join(root, name);
  const from = (before: string, name: string): string => {
    copyProject(at(before), at(name));
    return at(name);
  };
  emptyProject(at('bare'));
  await conduct(from('bare', 'begun'));
  const prompt = delegate(from('begun', 'delegated'), run);
  const last_assistant_message = work(from('delegated', 'worked'), prompt);
  const stopping = { ...ofAgent, last_assistant_message, stop_hook_active: false };
  run(from('worked', 'stopped'), input('SubagentStop', stopping));
  run(from('delegated', 'known'), input('PreToolUse', { ...ofAgent, ...editing('PROJECT') }));
  const delegated = { ...delegating, tool_input: { ...delegating.tool_input, prompt } };
  const tool_response = {
    status: 'completed',
    agentId: agent,
    content: [{ type: 'text', text: last_assistant_message }],
  };

  const one = (name: string, folder: string, event: string, more: object, isConducted = true): HookCase => ({
    name,
    event,
    isConducted,
    folder: at(folder),
    input: input(event, { ...more }),
  });
  const reading = { tool_name: 'Read', tool_input: { file_path: `PROJECT/${scope}` }, tool_use_id: 'toolu_3' };
  return [
    one('no ledger', 'bare', 'PreToolUse', reading, false),
    one('a run of another conversation', 'begun', 'PreToolUse', { ...reading, session_id: 'another' }, false),
    one('the conductor reads', 'begun', 'PreToolUse', reading),
    one('a delegation', 'begun', 'PreToolUse', delegating),
    one('an agent edits for the first time', 'delegated', 'PreToolUse', { ...ofAgent, ...editing('PROJECT') }),
    one('an agent edits again', 'known', 'PreToolUse', { ...ofAgent, ...editing('PROJECT') }),
    one('an agent has edited', 'known', 'PostToolUse', { ...ofAgent, ...editing('PROJECT'), tool_response: {} }),
    one('an agent stops', 'worked', 'SubagentStop', stopping),
    one('a delegation is over', 'stopped', 'PostToolUse', { ...delegated, tool_response }),
    one('the person writes', 'begun', 'UserPromptSubmit', { prompt: 'go on' }),
    one('resumed', 'begun', 'SessionStart', { source: 'resume' }),
    one('compaction', 'begun', 'PreCompact', { trigger: 'auto', custom_instructions: '' }),
  ];
}

/** What a hook wrote to standard output; one that failed says why. */
export function answerOf(argv: readonly string[], cwd: string, env: NodeJS.ProcessEnv, text: string): string {
  const [program = '', ...words] = argv;
  const { status, stdout, stderr } = spawnSync(program, words, { cwd, env, input: text, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${argv.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}
