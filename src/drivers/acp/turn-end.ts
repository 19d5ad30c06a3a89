/**
 * How a turn has ended, from what the agent answered. Its own word that it is done is not enough: some end a turn in peace
 * when their provider has failed, and put the error where their agent's words belong.
 */
import { defined } from '../../base/defined.ts';
import type { Turn } from '../driver.ts';
import { errorLine } from '../failure-message.ts';
import { objectOf, numberOf, type JsonObject, valueAt } from '../../base/json-value.ts';
import { classify, type FailureRow } from '../profiles/failure-row.ts';
import type { AcpProfile } from '../profiles/profile.ts';
import { type Usage, usageFrom, withUsage } from '../../dialects/usage.ts';
import type { AcpRefusal } from './connection.ts';
import { noSuchMode } from './session.ts';
import type { TurnUpdates } from './turn-updates.ts';

export interface EndedTurn {
  readonly failures: readonly FailureRow[];
  readonly way: AcpProfile;
  readonly updates: TurnUpdates;
  /** What was submitted in this turn. */
  readonly submitted: string | undefined;
  /** What the conversation had used before. */
  readonly before: Spent;
}

/** Of a conversation so far, as far as that is known: of one that another process began, nothing is. */
export interface Spent {
  readonly tokens?: number;
  readonly cost?: number;
}

/** By what its client counts over the whole conversation. */
export function spentAfter({ way, updates, before }: EndedTurn, response: JsonObject): Spent {
  const told = { tokens: tokensOf(way, response), cost: updates.cost() };
  const [tokens, cost] = [told.tokens ?? before.tokens, told.cost ?? before.cost];
  return defined({ tokens, cost });
}

export function answeredTurn(ended: EndedTurn, response: JsonObject): Turn {
  const { updates, submitted } = ended;
  const usage = withUsage(usageOf(ended, response));
  if (submitted !== undefined) return { end: 'returned', text: submitted, via: 'tool', ...usage };
  const stop = response['stopReason'];
  const trouble = troubleOf(ended);
  if (stop === 'end_turn' && trouble === '') return { end: 'returned', text: updates.lastWords(), ...usage };
  const early = `it stopped early (${JSON.stringify(stop) ?? 'without a reason'}): ${updates.lastWords()}`;
  // An agent's own words are not an error of its client's.
  if (trouble === '') return { end: 'failed', cause: 'exit', message: errorLine(early), ...leftovers(ended), ...usage };
  return { ...failedTurn(ended, trouble), ...usage };
}

/** An agent that answers with an error has failed, whatever it has submitted before. */
export function refusedTurn(ended: EndedTurn, { code, message, data }: AcpRefusal): Turn {
  const details = data === undefined ? '' : ` ${JSON.stringify(data)}`;
  const failures = [...ended.failures, ...protocolFailures];
  return failedTurn({ ...ended, failures }, `${message}${details} (code ${code})`);
}

/** Whatever the program: -32000 of the protocol says that a log-in is wanted. */
const protocolFailures: readonly FailureRow[] = [
  { match: /\(code -32000\)$/, cause: 'environment' },
  { match: new RegExp(`^${noSuchMode}`), cause: 'environment' },
];

function failedTurn(ended: EndedTurn, told: string): Turn {
  const failure = classify(ended.failures, { text: told }, Date.now());
  return { end: 'failed', ...failure, message: errorLine(told), ...leftovers(ended) };
}

/** What is there of a turn that came to no answer. */
export function leftovers(ended: EndedTurn): { readonly said: string; readonly usage?: Usage } {
  return { said: ended.updates.said(), ...withUsage(usageOf(ended, {})) };
}

/** The last piece of what an agent said may be its client's: after an error of its provider, or by its form. */
function troubleOf({ updates, way }: EndedTurn): string {
  const piece = updates.lastPiece();
  if (updates.trouble() !== '') return `${updates.trouble()} ${piece}`.trim();
  return way.errorText?.test(piece) === true ? piece : '';
}

function tokensOf({ usage }: AcpProfile, response: JsonObject): number | undefined {
  switch (usage) {
    case 'turn':
    case 'session':
    case 'last-call':
      return numberOf(valueAt(response, 'usage', 'totalTokens'));
    case 'quota-meta': {
      const counts = objectOf(valueAt(response, '_meta', 'quota', 'token_count'));
      const known = ['input_tokens', 'output_tokens'].flatMap((key) => numberOf(counts[key]) ?? []);
      return known.length === 0 ? undefined : known.reduce((sum, count) => sum + count, 0);
    }
    case 'none':
      return undefined;
    default:
      return usage satisfies never;
  }
}

function usageOf({ way, updates, before }: EndedTurn, response: JsonObject): Usage | undefined {
  const told = tokensOf(way, response);
  const used = usageFrom({
    tokens: way.usage === 'session' ? since(before.tokens, told) : told,
    cost: since(before.cost, updates.cost()),
  });
  if (used === undefined) return undefined;
  return {
    ...used,
    source: way.usage === 'last-call' ? 'the client, of its last model call' : 'the client, of the whole turn',
    ...(way.usage === 'last-call' ? { isPartial: true } : {}),
  };
}

function since(before: number | undefined, total: number | undefined): number | undefined {
  return before === undefined || total === undefined ? undefined : Math.max(0, total - before);
}
