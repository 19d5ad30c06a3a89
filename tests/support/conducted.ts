/** A run that a conversation conducts, through its hooks, in this process. */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defined } from '../../src/base/defined.ts';
import type { RunId } from '../../src/base/ids.ts';
import type { RunState } from '../../src/core/state/state.ts';
import type { HookAnswer } from '../../src/hooks/answer.ts';
import { type HookInput, parseHookInput } from '../../src/hooks/hook-input.ts';
import { step } from '../../src/hooks/step.ts';
import { foldRun } from '../../src/ledger/fold-run.ts';
import { withLedger } from '../../src/project/project-ledger.ts';
import { conductPlan } from '../../src/runtime/conducted/conduct-run.ts';
import { trusted } from './divisi.ts';
import { makeRepository, put } from './git-project.ts';

const session = 'one';
const { PATH, DIVISI_STATE } = process.env;
const usual = { PATH, DIVISI_STATE };

interface SamplePlan {
  /** Of 1.1. */
  readonly scope?: string;
  readonly accept?: string;
  /** The hash of what a person has confirmed; everything unless it is given. */
  readonly confirmed?: string;
}

const planOf = ({ scope = 'src/a.txt', accept = '' }: SamplePlan): string => `# Plan: Sample

## Wave 1: Part 1

| ID | Task | Status | Deps | Scope | Accept |
|---|---|---|---|---|---|
| 1.1 | Write a file | [ ] | - | ${scope} | ${accept} |
| 1.2 | Write another | [ ] | - | src/b.txt | |
`;

export interface Conducted {
  readonly project: string;
  readonly run: RunId;
  readonly transcript: string;
  readonly hook: (event: string, more: object) => Promise<HookAnswer>;
  /** Said by another process than the client, which has written nothing of it. */
  readonly forged: (event: string, more: object) => Promise<HookAnswer>;
  readonly state: () => Promise<RunState>;
  /** Writes what the client writes about an agent that another one calls. */
  readonly called: (agent: string, by: string) => void;
}

/** In a new folder; `review` is a line of wave 1, and `variables` are the client's. */
export async function conducted(
  folder: string,
  review = '',
  sample: SamplePlan = {},
  variables: NodeJS.ProcessEnv = {},
): Promise<Conducted> {
  const project = join(folder, 'project');
  put(project, {
    'plan.md': `${planOf(sample)}\n${review}`,
    'src/known.txt': 'known\n',
    '.divisi/agents/security-lead.md': '---\nname: security-lead\ndescription: Reviews.\n---\nReview.\n',
  });
  makeRepository(project);
  const environment = { ...usual, ...trusted(project), ...variables };
  const options = { project, environment, session, warn: () => undefined };
  const run = await withLedger(project, async (ledger) =>
    conductPlan(join(project, 'plan.md'), { ...options, ...defined({ confirmed: sample.confirmed }), ledger }),
  );
  const transcript = join(folder, 'conversation.jsonl');
  mkdirSync(join(folder, 'conversation', 'subagents'), { recursive: true });
  const forged = async (event: string, more: object): Promise<HookAnswer> => {
    const said = { hook_event_name: event, session_id: session, cwd: project, transcript_path: transcript, ...more };
    const input = parseHookInput(JSON.stringify(said)) as HookInput;
    return step(input, { project, environment, run, planFile: 'plan.md' });
  };
  return {
    project,
    run,
    transcript,
    hook: async (event, more) => {
      if (event === 'SubagentStop') recordWords(transcript, more);
      return forged(event, more);
    },
    forged,
    state: () => withLedger(project, async (ledger) => foldRun(ledger, run)),
    called: (agent, parentAgentId) =>
      writeFileSync(
        join(folder, 'conversation', 'subagents', `agent-${agent}.meta.json`),
        JSON.stringify({ agentType: 'general-purpose', parentAgentId }),
      ),
  };
}

/** The client writes what an agent says before it tells the hook. */
function recordWords(transcript: string, { agent_id: agent = '', last_assistant_message: text = '' }: Stopped): void {
  const file = join(transcript.slice(0, -'.jsonl'.length), 'subagents', `agent-${agent}.jsonl`);
  appendFileSync(file, `${JSON.stringify({ type: 'assistant', message: { content: [{ type: 'text', text }] } })}\n`);
}

interface Stopped {
  readonly agent_id?: string;
  readonly last_assistant_message?: string;
}

export interface Delegated {
  /** By the client. */
  readonly agent: string;
  readonly prompt: string;
}

/** The agent is started by the conductor and has written its file. */
export async function delegated(
  { hook, project, transcript }: Conducted,
  task: string,
  file: string,
  agent = `agent${task.replaceAll(/[^\da-z]/g, '')}`,
): Promise<Delegated> {
  const answer = await hook('PreToolUse', { tool_name: 'Agent', tool_input: { prompt: `divisi ${task}` } });
  const { hookSpecificOutput } = (answer as Extract<HookAnswer, { kind: 'json' }>).json as {
    hookSpecificOutput: { updatedInput: { prompt: string } };
  };
  const { prompt } = hookSpecificOutput.updatedInput;
  const folder = join(transcript.slice(0, -'.jsonl'.length), 'subagents');
  writeFileSync(join(folder, `agent-${agent}.jsonl`), `${JSON.stringify({ message: { content: prompt } })}\n`);
  put(project, { [file]: 'written\n' });
  return { agent, prompt };
}

export const reportOf = (run: RunId, task: string, file: string): string => `---
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
