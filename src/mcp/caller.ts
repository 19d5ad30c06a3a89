/**
 * Caller: the client of a call: its hooks' data, whether it can ask a person, the person's replies, and cancellation.
 */
import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';
import { objectOf } from '../base/json-value.ts';
import type { RunState } from '../core/state/state.ts';

export interface FormRequest {
  readonly key: string;
  readonly form: ElicitRequestFormParams;
}

/** Text, or a question for a person before the tool can continue. */
export type ToolAnswer = { readonly text: string } | { readonly ask: FormRequest };

export interface Caller {
  readonly signal: AbortSignal;
  readonly seen: (state: RunState) => void;
  /** A person can be asked through the client. */
  readonly canAsk: boolean;
  readonly hookContext: HookContext;
  /** Replies to questions of an earlier round, by key. Unchecked. */
  readonly replies: Readonly<Record<string, unknown>>;
}

/** Added to a call by the plugin's hooks: the conversation and its permission mode. */
export interface HookContext {
  readonly session?: string;
  readonly permissionMode?: string;
}

export function readHookContext(given: unknown): HookContext {
  const { session, permission_mode: permissionMode } = objectOf(given);
  return {
    ...(typeof session === 'string' && session !== '' ? { session } : {}),
    ...(typeof permissionMode === 'string' ? { permissionMode } : {}),
  };
}

type RunMode = 'plan' | 'default' | 'auto';

/**
 * Chooses the mode of a run from the conversation's permission mode. A model may request more checkpoints than the
 * person wants, never fewer; its own choice counts only where no hook reports the permission mode.
 */
export function modeFor(wanted: RunMode | undefined, { permissionMode }: HookContext): RunMode | undefined {
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

/** Elicitation capability of a client; an empty object means forms. */
export interface Elicitation {
  readonly form?: unknown;
  readonly url?: unknown;
}

/** A client without a person cancels every question at once; one without elicitation is not asked. */
export function canAsk(elicitation: Elicitation | undefined): boolean {
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/**
 * True if a person cancelled the call. A lost connection or a client's timeout does not count: the run continues, and
 * the next call waits for it.
 */
export function isCancelledByPerson({ aborted, reason }: AbortSignal): boolean {
  if (!aborted) return false;
  if (reason instanceof Error && reason.name !== 'AbortError') return false;
  return !(typeof reason === 'string' && /time(?:d)?[ -]?out/i.test(reason));
}
