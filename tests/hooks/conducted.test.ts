/** A conducted run through its hooks, in this process: one delegation from its call to its verified return. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { RunId } from '../../src/base/ids.ts';
import type { RunState } from '../../src/core/state/state.ts';
import type { HookAnswer } from '../../src/hooks/answer.ts';
import { type HookInput, parseHookInput } from '../../src/hooks/hook-input.ts';
import { step } from '../../src/hooks/step.ts';
import { foldRun } from '../../src/ledger/fold-run.ts';
import { withLedger } from '../../src/project/project-ledger.ts';
import { conductPlan } from '../../src/runtime/conducted/conduct-run.ts';
import { makeRepository, put } from '../support/git-project.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const { folds } = vi.hoisted(() => ({ folds: { count: 0 } }));

/** A fold of the whole run applies its first event. */
vi.mock(import('../../src/core/apply/apply.ts'), async (load) => {
  const real = await load();
  return {
    ...real,
    apply: (state, event) => {
      if (event.kind === 'run.created') folds.count += 1;
      return real.apply(state, event);
    },
  };
});

const newFolder = temporaryFolders();
const session = 'one';
const environment = { PATH: process.env['PATH'] };
const plan = `# Plan: Sample

## Wave 1: Part 1

| ID | Task | Status | Deps | Scope |
|---|---|---|---|---|
| 1.1 | Write a file | [ ] | - | src/a.txt |
| 1.2 | Write another | [ ] | - | src/b.txt |
`;

interface Conducted {
  readonly project: string;
  readonly run: RunId;
  readonly transcript: string;
  readonly hook: (event: string, more: object) => Promise<HookAnswer>;
  readonly state: () => Promise<RunState>;
}

async function conducted(review = ''): Promise<Conducted> {
  const folder = newFolder();
  const project = join(folder, 'project');
  put(project, {
    'plan.md': `${plan}\n${review}`,
    'src/known.txt': 'known\n',
    '.divisi/agents/security-lead.md': '---\nname: security-lead\ndescription: Reviews.\n---\nReview.\n',
  });
  makeRepository(project);
  const options = { project, environment, session, warn: () => undefined };
  const run = await withLedger(project, async (ledger) =>
    conductPlan(join(project, 'plan.md'), { ...options, ledger }),
  );
  const transcript = join(folder, 'conversation.jsonl');
  mkdirSync(join(folder, 'conversation', 'subagents'), { recursive: true });
  return {
    project,
    run,
    transcript,
    hook: async (event, more) => {
      const said = { hook_event_name: event, session_id: session, cwd: project, transcript_path: transcript, ...more };
      const input = parseHookInput(JSON.stringify(said)) as HookInput;
      return step(input, { project, environment, run, planFile: 'plan.md' });
    },
    state: () => withLedger(project, async (ledger) => foldRun(ledger, run)),
  };
}

/** The agent is started by the conductor and has written its file. */
async function delegated({ hook, project, transcript }: Conducted, task: string, file: string): Promise<string> {
  const answer = await hook('PreToolUse', { tool_name: 'Agent', tool_input: { prompt: `divisi ${task}` } });
  const { hookSpecificOutput } = (answer as Extract<HookAnswer, { kind: 'json' }>).json as {
    hookSpecificOutput: { updatedInput: { prompt: string } };
  };
  const { prompt } = hookSpecificOutput.updatedInput;
  const agent = `agent${task.replaceAll(/[^\da-z]/g, '')}`;
  const folder = join(transcript.slice(0, -'.jsonl'.length), 'subagents');
  writeFileSync(join(folder, `agent-${agent}.jsonl`), `${JSON.stringify({ message: { content: prompt } })}\n`);
  put(project, { [file]: 'written\n' });
  return agent;
}

const report = (run: RunId, task: string, file: string): string => `---
schema_version: "1.0.0"
run_id: "${run}"
task_id: "${task}"
status: done
files_touched:
  - resource: "${file}"
    action: create
acceptance_check:
  - criterion: "The file is there"
    status: pass
    evidence: "written"
notes_for_orchestrator: []
worklog_path: "worklog.jsonl"
---

## Summary

Written.

## Decisions

None.

## Issues

None.
`;

it('a SubagentStop folds the run once, however many turns it takes', async () => {
  const run = await conducted();
  const agent = await delegated(run, '1.1', 'src/a.txt');
  // It shows itself first: from then on it is known by its id.
  await run.hook('PreToolUse', { agent_id: agent, tool_name: 'Write', tool_input: { file_path: 'src/a.txt' } });
  folds.count = 0;
  const refused = await run.hook('SubagentStop', { agent_id: agent, last_assistant_message: 'done' });
  expect([refused.kind, folds.count]).toEqual(['continue', 1]);
  folds.count = 0;
  const text = report(run.run, '1.1', 'src/a.txt');
  const answer = await run.hook('SubagentStop', {
    agent_id: agent,
    last_assistant_message: text,
    background_tasks: [{ id: agent }],
  });
  const folded = folds.count;
  const { tasks, active } = await run.state();
  expect([tasks.get('1.1')?.progress.status, active.size]).toEqual(['completed', 0]);
  expect(answer).toMatchObject({ kind: 'continue', message: expect.stringContaining('1.1') });
  expect(folded).toBe(1);
});

it('a hook sees what another one recorded after it had read the run', async () => {
  const run = await conducted();
  const agents = [await delegated(run, '1.1', 'src/a.txt'), await delegated(run, '1.2', 'src/b.txt')];
  const texts = [report(run.run, '1.1', 'src/a.txt'), report(run.run, '1.2', 'src/b.txt')];
  await Promise.all(
    agents.map((agent, at) => run.hook('SubagentStop', { agent_id: agent, last_assistant_message: texts[at] })),
  );
  const { tasks } = await run.state();
  expect(Array.from(tasks.values(), ({ progress }) => progress.status)).toEqual(['completed', 'completed']);
});

it('a blocked agent of a conversation is in errors.json', async () => {
  const run = await conducted();
  const agent = await delegated(run, '1.1', 'src/a.txt');
  await run.hook('PreToolUse', { agent_id: agent, tool_name: 'Write', tool_input: { file_path: 'src/a.txt' } });
  const text = report(run.run, '1.1', 'src/a.txt')
    .replace('status: done', 'status: blocked')
    .replace('## Issues\n\nNone.', '## Issues\n\n- No access to the registry');
  await run.hook('SubagentStop', { agent_id: agent, last_assistant_message: text });
  const errors: unknown = JSON.parse(readFileSync(join(run.project, '.divisi/errors.json'), 'utf8'));
  expect(errors).toMatchObject([{ command: 'run', task: '1.1', run: run.run, type: 'unclear' }]);
});

it('an agent that reviews a wave may write its report, and nothing else', async () => {
  const run = await conducted('Reviewer: security-lead\n');
  for (const [task, file] of [
    ['1.1', 'src/a.txt'],
    ['1.2', 'src/b.txt'],
  ] as const) {
    const agent = await delegated(run, task, file);
    const text = report(run.run, task, file);
    await run.hook('SubagentStop', { agent_id: agent, last_assistant_message: text });
  }
  const agent_id = await delegated(run, 'wave-1:review', 'src/known.txt');
  const write = (file_path: string): Promise<HookAnswer> =>
    run.hook('PreToolUse', { agent_id, tool_name: 'Write', tool_input: { file_path } });
  const path = `.divisi/runs/${run.run}/reports/wave-1/wave-review.md`;
  expect(JSON.stringify(await write('src/known.txt'))).toContain('Task wave-1:review may only change');
  expect(await write(path)).toEqual({ kind: 'nothing' });
});
