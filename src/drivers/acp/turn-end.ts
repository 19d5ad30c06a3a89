/**
 * Decides how a turn ended, from the agent's answer. `end_turn` is not enough: some clients end a turn normally after an error of
 * their provider, and report the error as the agent's words.
 */
import { defined } from '../../base/defined.ts';
import type { Turn } from '../driver.ts';
import { errorLine } from '../failure-message.ts';
import { objectOf, numberOf, type JsonObject, valueAt } from '../../base/json-value.ts';
import { classify, type FailureRow } from '../profiles/failure-row.ts';
import type { AcpProfile } from '../profiles/profile.ts';
import { type TurnUsage, usageFrom, withUsage } from '../../dialects/usage.ts';
import type { AcpRefusal } from './connection.ts';
import { endingRefusals, refusalText } from './refused-turn.ts';
import { noSuchMode } from './session.ts';
import type { TurnUpdates } from './turn-updates.ts';

export interface EndedTurn {
  readonly failures: readonly FailureRow[];
  readonly way: AcpProfile;
  readonly updates: TurnUpdates;
  /** The result submitted in this turn. */
  readonly submitted: string | undefined;
  /** Usage of the conversation before this turn. */
  readonly before: ConversationUsage;
}

/** Usage of a conversation so far; unknown for one that another process started. */
export interface ConversationUsage {
  readonly tokens?: number;
  readonly cost?: number;
}

/** Usage of the whole conversation, as its client counts it. */
export function spentAfter({ way, updates, before }: EndedTurn, response: JsonObject): ConversationUsage {
  const tokens = tokensOf(way, response) ?? before.tokens;
  const cost = updates.cost() ?? before.cost;
  return defined({ tokens, cost });
}

export function answeredTurn(ended: EndedTurn, response: JsonObject): Turn {
  const { updates, submitted } = ended;
  const usage = withUsage(usageOf(ended, response));
  if (submitted !== undefined) return { end: 'returned', text: submitted, via: 'tool', ...usage };
  const stop = response['stopReason'];
  const trouble = troubleOf(ended);
  const refusals = trouble === '' ? endingRefusals(updates.unanswered(), response) : [];
  if (refusals.length > 0) {
    const message = errorLine(refusalText(refusals));
    return { end: 'failed', cause: 'environment', message, ...leftovers(ended), ...usage };
  }
  if (stop === 'end_turn' && trouble === '') return { end: 'returned', text: updates.lastWords(), ...usage };
  const early = `it stopped early (${JSON.stringify(stop) ?? 'without a reason'}): ${updates.lastWords()}`;
  // The agent's own words are not an error of its client.
  const cause = stop === 'max_turn_requests' ? 'limit' : stop === 'refusal' ? 'refusal' : 'exit';
  if (trouble === '') return { end: 'failed', cause, message: errorLine(early), ...leftovers(ended), ...usage };
  return { ...failedTurn(ended, trouble), ...usage };
}

/** An error fails the turn, even after a submission. */
export function refusedTurn(ended: EndedTurn, { code, message, data }: AcpRefusal): Turn {
  const details = data === undefined ? '' : ` ${JSON.stringify(data)}`;
  const failures = [...ended.failures, ...protocolFailures];
  return failedTurn({ ...ended, failures }, `${message}${details} (code ${code})`);
}

/** For every program: the protocol's -32000 means that a log-in is required. */
const protocolFailures: readonly FailureRow[] = [
  { match: /\(code -32000\)$/, cause: 'authentication' },
  { match: new RegExp(`^${noSuchMode}`), cause: 'environment' },
];

function failedTurn(ended: EndedTurn, text: string): Turn {
  const failure = classify(ended.failures, { text }, Date.now());
  return { end: 'failed', ...failure, message: errorLine(text), ...leftovers(ended) };
}

/** Output and usage of a turn without an answer. */
export function leftovers(ended: EndedTurn): { readonly said: string; readonly usage?: TurnUsage } {
  return { said: ended.updates.said(), ...withUsage(usageOf(ended, {})) };
}

/** The last piece may be the client's error: after a provider error, or by its form. */
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

function usageOf({ way, updates, before }: EndedTurn, response: JsonObject): TurnUsage | undefined {
  const tokens = tokensOf(way, response);
  const used = usageFrom({
    tokens: way.usage === 'session' ? since(before.tokens, tokens) : tokens,
    cost: costOf({ before, updates }),
  });
  if (used === undefined) return undefined;
  return {
    ...used,
    source: way.usage === 'last-call' ? 'the client, of its last model call' : 'the client, of the whole turn',
    ...(way.usage === 'last-call' ? { isPartial: true } : {}),
  };
}

/** Cost of this turn so far, if known. */
export function costOf({ before, updates }: Pick<EndedTurn, 'before' | 'updates'>): number | undefined {
  return since(before.cost, updates.cost());
}

function since(before: number | undefined, total: number | undefined): number | undefined {
  return before === undefined || total === undefined ? undefined : Math.max(0, total - before);
}
