/**
 * Caller: what the server knows about the client of a call: whether it can ask a person, their replies, and whether the call was cancelled.
 */
import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';
import { objectOf } from '../base/json-value.ts';
import type { RunState } from '../core/state/state.ts';

/** Text, or a question for a person before the tool can continue. */
export type ToolAnswer =
  | { readonly text: string }
  | { readonly ask: { readonly key: string; readonly form: ElicitRequestFormParams } };

export interface Caller {
  readonly signal: AbortSignal;
  readonly seen: (state: RunState) => void;
  /** A person can be asked through the client. */
  readonly canAsk: boolean;
  readonly told: Told;
  /** Replies to questions of an earlier round, by key. Unchecked. */
  readonly replies: Readonly<Record<string, unknown>>;
}

/** Added to a call by the plugin's hooks: the conversation and its permission mode. */
export interface Told {
  readonly session?: string;
  readonly permissionMode?: string;
}

export function toldIn(given: unknown): Told {
  const { session, permission_mode: permissionMode } = objectOf(given);
  return {
    ...(typeof session === 'string' && session !== '' ? { session } : {}),
    ...(typeof permissionMode === 'string' ? { permissionMode } : {}),
  };
}

type RunMode = 'plan' | 'default' | 'auto';

/**
 * A run asks as often as the person wants to be asked in the conversation. A model may ask for more of that, never for less: what it
 * wants counts by itself only where no hook tells what the person wants.
 */
export function modeFor(wanted: RunMode | undefined, { permissionMode }: Told): RunMode | undefined {
  switch (permissionMode) {
    case undefined:
      return wanted;
    case 'plan':
      return 'plan';
    case 'acceptEdits':
    case 'auto':
    case 'bypassPermissions':
      return wanted ?? 'auto';
    default:
      return wanted === 'auto' ? 'default' : wanted;
  }
}

/** What a client says about the questions it can put to a person; nothing in it means forms. */
export interface Elicitation {
  readonly form?: unknown;
  readonly url?: unknown;
}

/** A client without a person cancels every question at once; one without elicitation is not asked. */
export function canAsk(elicitation: Elicitation | undefined): boolean {
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/**
 * Whether a person cancelled the call. A lost connection or a client's timeout does not count: the run continues, and the next call
 * waits for it.
 */
export function isGivenUp({ aborted, reason }: AbortSignal): boolean {
  if (!aborted) return false;
  if (reason instanceof Error && reason.name !== 'AbortError') return false;
  return !(typeof reason === 'string' && /time(?:d)?[ -]?out/i.test(reason));
}
