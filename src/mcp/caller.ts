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
  /** Its forms have a button to decline; otherwise a field has that choice. */
  readonly hasDecline: boolean;
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
 * Chooses the mode of a run. The conversation's permission mode is about tools: plan mode starts nothing, and no mode passes the plan's
 * checkpoints. A model may request more checkpoints than the person wants, never fewer: where a hook reports that mode or a person can be
 * asked, only their plan or their command line says `auto`.
 */
export function modeFor(
  wanted: RunMode | undefined,
  { hookContext: { permissionMode }, canAsk: isAttended }: Pick<Caller, 'hookContext' | 'canAsk'>,
): RunMode | undefined {
  if (permissionMode === 'plan') return 'plan';
  return wanted === 'auto' && (isAttended || permissionMode !== undefined) ? undefined : wanted;
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
 * True on a positive sign that a person cancelled the call: Claude Code's `AbortError: user-cancel`. Codex cancels at its time limit with
 * "MCP response future dropped", other clients with words of their own: the run continues, and the same call waits for it again.
 */
export function isCancelledByPerson({ aborted, reason }: AbortSignal): boolean {
  return aborted && typeof reason === 'string' && /\buser-cancel\b/.test(reason);
}
