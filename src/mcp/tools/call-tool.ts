/** Executes one tool call: validates the input, bounds the answer, and returns refusals as answers. */
import type * as z from 'zod/mini';
import { messageOf, DivisiError, divisiError } from '../../base/error.ts';
import { inWords } from '../../base/schema-words.ts';
import { toolError } from '../../views/brief/tool-error.ts';
import { type Caller, modeFor, type ToolAnswer } from '../caller.ts';
import type { Place } from '../place.ts';
import { inputs, type Inputs, readOnly, type ToolName } from './tools.ts';

type Perform = {
  readonly [Name in ToolName]: (place: Place, input: Inputs[Name], caller: Caller) => Promise<ToolAnswer>;
};

/** Each is loaded when it is called: a client lists tools far more often than it uses them. */
const perform: Perform = {
  async run(place, given, caller) {
    const mode = modeFor(given.mode, caller.told);
    const planned = await (await import('./plan-goal.ts')).planFirst(place, given, mode, caller);
    if (!('input' in planned)) return planned;
    const { input } = planned;
    if (input.command !== undefined) {
      return (await import('./give-command.ts')).giveCommand(place, { ...input, mode }, caller);
    }
    if (input.here === true && mode !== 'plan') {
      return (await import('../run-here.ts')).runHere(place, { ...input, mode }, caller);
    }
    const { afterQuestion, runAndWait } = await import('./run.ts');
    const going = await afterQuestion(place, caller);
    if (going !== undefined) return going;
    const chosen = await (await import('../choose-run.ts')).chooseRun(place, { ...input, mode });
    if ('text' in chosen) return chosen;
    const { begin } = chosen;
    if (!('words' in begin) || begin.plan === undefined) return runAndWait(place, begin, caller);
    const confirmed = await (await import('../confirm-plan.ts')).confirmPlan(place, begin.plan, caller);
    if (!('go' in confirmed)) return confirmed;
    const { confirmed: hash } = confirmed.go;
    const words = hash === undefined ? begin.words : [...begin.words, '--confirmed', hash];
    return runAndWait(place, { words }, caller);
  },
  status: async (place, input) => (await import('./status.ts')).status(place, input),
  report: async (place, input) => (await import('./report.ts')).report(place, input),
  answer: async (place, input, caller) => (await import('./answer.ts')).answer(place, input, caller),
  delegate: async (place, input, caller) => (await import('./delegate.ts')).delegate(place, input, caller),
};

export type Called = ToolAnswer | { readonly refused: string };

export async function callTool(place: Place, name: ToolName, given: unknown, caller: Caller): Promise<Called> {
  try {
    if (!readOnly.has(name)) refuseAgents(place);
    const tool = perform[name] as (place: Place, input: unknown, caller: Caller) => Promise<ToolAnswer>;
    return await tool(place, readInput(name, given), caller);
  } catch (error) {
    if (error instanceof DivisiError) return { refused: toolError(error) };
    place.warn(error);
    const next = 'This is a bug in Divisi; please report it. `divisi status` shows the run.';
    return { refused: toolError({ code: 'USAGE', message: messageOf(error), next }) };
  }
}

/** Agents of a run may neither start runs nor answer checkpoints. */
function refuseAgents({ environment }: Place): void {
  const delegation = environment['DIVISI_DELEGATION'];
  if (delegation === undefined) return;
  throw divisiError('DELEGATION_REFUSED', {
    message: 'this conversation is an agent of a run: it can neither start runs nor answer checkpoints',
    next: 'Do the task and return by the contract; name further work there.',
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
