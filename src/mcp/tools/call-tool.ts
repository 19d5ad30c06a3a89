/** Executes one tool call: validates the input, bounds the answer, and returns refusals as answers. */
import type * as z from 'zod/mini';
import { messageOf, DivisiError, divisiError } from '../../base/error.ts';
import { inWords } from '../../base/schema-words.ts';
import { toolError } from '../../views/brief/tool-error.ts';
import { type Caller, modeFor, type ToolAnswer } from '../caller.ts';
import type { ServerDeps } from '../server-deps.ts';
import { inputs, type Inputs, readOnly, type ToolName } from './tools.ts';

type Perform = {
  readonly [Name in ToolName]: (deps: ServerDeps, input: Inputs[Name], caller: Caller) => Promise<ToolAnswer>;
};

/** Each tool is loaded on its first call: a client lists tools far more often than it uses them. */
const perform: Perform = {
  async run(deps, given, caller) {
    const mode = modeFor(given.mode, caller);
    const planned = await (await import('./plan-goal.ts')).planFirst(deps, given, mode, caller);
    if (!('input' in planned)) return planned;
    const { input } = planned;
    if (input.command !== undefined) {
      return (await import('./give-command.ts')).giveCommand(deps, { ...input, mode }, caller);
    }
    if (input.here === true && mode !== 'plan') {
      return (await import('../run-here.ts')).runHere(deps, { ...input, mode }, caller);
    }
    const { afterQuestion, runAndWait } = await import('./run.ts');
    const going = await afterQuestion(deps, caller);
    if (going !== undefined) return going;
    const chosen = await (await import('../choose-run.ts')).chooseRun(deps, { ...input, mode });
    if ('text' in chosen) return chosen;
    const { request } = chosen;
    if (!('words' in request) || request.plan === undefined) return runAndWait(deps, request, caller);
    const confirmed = await (await import('../confirm-plan.ts')).confirmPlan(deps, request.plan, caller);
    if (!('go' in confirmed)) return confirmed;
    const { confirmed: hash } = confirmed.go;
    const words = hash === undefined ? request.words : [...request.words, '--confirmed', hash];
    return runAndWait(deps, { words }, caller);
  },
  status: async (deps, input) => (await import('./status.ts')).statusTool(deps, input),
  report: async (deps, input) => (await import('./report.ts')).reportTool(deps, input),
  answer: async (deps, input, caller) => (await import('./answer.ts')).answerTool(deps, input, caller),
  delegate: async (deps, input, caller) => (await import('./delegate.ts')).delegateTool(deps, input, caller),
};

export type CallResult = ToolAnswer | { readonly refused: string };

export async function callTool(deps: ServerDeps, name: ToolName, given: unknown, caller: Caller): Promise<CallResult> {
  try {
    if (!readOnly.has(name)) refuseAgents(deps);
    const tool = perform[name] as (deps: ServerDeps, input: unknown, caller: Caller) => Promise<ToolAnswer>;
    return await tool(deps, readInput(name, given), caller);
  } catch (error) {
    if (error instanceof DivisiError) return { refused: toolError(error) };
    deps.warn(error);
    const next = 'This is a bug in Divisi; please report it. `divisi status` shows the run.';
    return { refused: toolError({ code: 'USAGE', message: messageOf(error), next }) };
  }
}

/** Agents of a run may neither start runs nor answer checkpoints. */
function refuseAgents({ environment }: ServerDeps): void {
  const delegation = environment['DIVISI_DELEGATION'];
  if (delegation === undefined) return;
  throw divisiError('DELEGATION_REFUSED', {
    message: 'this conversation is an agent of a run: it can neither start runs nor answer checkpoints',
    next: 'Do the task and return under the contract; name further work there.',
    ids: { delegation },
  });
}

/** Drops unknown fields: a client's hooks may add some. */
function readInput(name: ToolName, given: unknown): unknown {
  const parsed = inputs[name].safeParse(given ?? {}, inWords);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues as readonly z.core.$ZodIssue[];
  throw divisiError('USAGE', {
    message: `${name}: ${issue?.path.map(String).join('.') ?? ''}: ${issue?.message ?? ''}`,
    next: 'Call it again with input that matches its schema.',
  });
}
