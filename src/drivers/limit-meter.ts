/**
 * Limit meter: counts what one conversation uses against the limits of its delegation, and reports the first that is reached. Counts
 * the answers of the model by the client's marks, else by what the agent says and calls between the results of its tools.
 */
import type { Turn } from './driver.ts';
import type { Entry } from '../dialects/entry.ts';
import type { TurnUsage } from '../dialects/usage.ts';
import {
  type DelegationLimits,
  type LimitName,
  limitNames,
  limitReached,
  mostInvalidResults,
  tooManyInvalid,
} from '../base/delegation-limits.ts';

/** The id of a tool call, if it is one. */
export interface MeteredEntry {
  readonly kind: Entry['kind'];
  readonly id?: string;
}

export interface LimitMeter {
  /** Counts one entry of the running turn. */
  take(entry: MeteredEntry): void;
  /** Usage of the running turn so far; replaces the one before. */
  use(usage: TurnUsage): void;
  /** Counts a result that broke its contract. */
  invalid(): void;
  /** Usage of the whole turn, if its client reports any. */
  endTurn(usage: TurnUsage | undefined): void;
  /** What another turn may use; a number may be zero. */
  left(): DelegationLimits;
  /** Why the conversation ends; undefined within its limits. */
  reached(): string | undefined;
  /** In the words of `reached`, for a limit that the client watches itself. */
  textOf(name: LimitName): string;
}

/** `onReached` is called once. */
export function limitMeter(limits: DelegationLimits, onReached: () => void): LimitMeter {
  let before = { turns: 0, tokens: 0, cost: 0 };
  let turn = { turns: 0, tokens: 0, cost: 0 };
  let isMarked = false;
  let isAnswering = false;
  let invalid = 0;
  const calls = new Set<string>();
  let reached: string | undefined;

  const used = (name: LimitName): number => before[name] + turn[name];
  const textOf = (name: LimitName): string => limitReached(name, limits[name] ?? used(name));
  const reach = (why: string): void => {
    if (reached !== undefined) return;
    reached = why;
    onReached();
  };
  const check = (): void => {
    const name = limitNames.find((one) => used(one) > (limits[one] ?? Infinity));
    if (name !== undefined) reach(textOf(name));
  };
  const begin = (): void => {
    isAnswering = true;
    turn = { ...turn, turns: turn.turns + 1 };
    check();
  };
  const use = ({ tokens = turn.tokens, cost = turn.cost }: TurnUsage): void => {
    turn = { ...turn, tokens, cost };
    check();
  };

  return {
    take({ kind, id = '' }) {
      if (kind === 'answer-begun') {
        isMarked = true;
        return begin();
      }
      if (isMarked || limits.turns === undefined) return;
      // Some clients report a call only when it has ended.
      const speaks =
        kind === 'said' || kind === 'thought' || kind === 'tool' || (kind === 'tool-ended' && !calls.has(id));
      if (speaks && !isAnswering) begin();
      if (kind === 'tool' || kind === 'tool-ended') calls.add(id);
      if (kind === 'tool-ended') isAnswering = false;
    },
    use,
    invalid() {
      invalid += 1;
      if (invalid >= mostInvalidResults) reach(tooManyInvalid);
    },
    endTurn(usage = {}) {
      use(usage);
      before = { turns: used('turns'), tokens: used('tokens'), cost: used('cost') };
      turn = { turns: 0, tokens: 0, cost: 0 };
      isAnswering = false;
      calls.clear();
    },
    left: () =>
      Object.fromEntries(
        limitNames.flatMap((name) => {
          const limit = limits[name];
          return limit === undefined ? [] : [[name, Math.max(0, Math.round((limit - used(name)) * 10_000) / 10_000)]];
        }),
      ),
    reached: () => reached,
    textOf,
  };
}

/** The limit that leaves nothing for another turn. */
export function spentLimit(meter: LimitMeter): string | undefined {
  const left = meter.left();
  const name = limitNames.find((one) => left[one] === 0);
  return meter.reached() ?? (name === undefined ? undefined : meter.textOf(name));
}

export function limitedTurn(message: string): Extract<Turn, { end: 'failed' }> {
  return { end: 'failed', cause: 'limit', message, said: '' };
}
