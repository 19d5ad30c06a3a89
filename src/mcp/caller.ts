/** Who called a tool: whether a person can be asked, what they have answered, whether they gave the call up. */
import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';
import { objectOf } from '../base/json-value.ts';
import type { RunState } from '../core/state/state.ts';

/** What a tool answers: text, or a question for a person before it can go on. */
export type ToolAnswer =
  | { readonly text: string }
  | { readonly ask: { readonly key: string; readonly form: ElicitRequestFormParams } };

export interface Caller {
  readonly signal: AbortSignal;
  readonly seen: (state: RunState) => void;
  /** A person can be asked through the client. */
  readonly canAsk: boolean;
  readonly told: Told;
  /** What was answered to questions of an earlier round, by their keys. Nobody has checked it. */
  readonly replies: Readonly<Record<string, unknown>>;
}

/** What the hooks of the plugin add to a call: which conversation it is from, and what the person allows there. */
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

/** A client without a person gives up every question at once; one that knows no questions is not asked. */
export function canAsk(elicitation: Elicitation | undefined): boolean {
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/**
 * Whether a person gave the call up. A connection that is gone and a client that ran out of patience are no such sign: the
 * run goes on, and the next call waits for it.
 */
export function isGivenUp({ aborted, reason }: AbortSignal): boolean {
  if (!aborted) return false;
  if (reason instanceof Error && reason.name !== 'AbortError') return false;
  return !(typeof reason === 'string' && /time(?:d)?[ -]?out/i.test(reason));
}
