/** Who called a tool, and what can be done for them meanwhile: progress, questions, giving up. */
import type { ElicitRequestFormParams, ServerContext } from '@modelcontextprotocol/server';
import type { RunState } from '../core/state.ts';

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
  const fields = (typeof given === 'object' && given !== null ? given : {}) as Readonly<Record<string, unknown>>;
  const { session, permission_mode: permissionMode } = fields;
  return {
    ...(typeof session === 'string' && session !== '' ? { session } : {}),
    ...(typeof permissionMode === 'string' ? { permissionMode } : {}),
  };
}

/** A run asks as often as the person wants to be asked in the conversation. */
export function modeOf({ permissionMode }: Told): 'plan' | 'auto' | undefined {
  switch (permissionMode) {
    case 'plan':
      return 'plan';
    case 'acceptEdits':
    case 'auto':
    case 'bypassPermissions':
      return 'auto';
    default:
      return undefined;
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

/** Milliseconds. */
const soonest = 3000;
const latest = 45_000;

export interface Progress {
  readonly seen: (state: RunState) => void;
  readonly end: () => void;
}

/** Notifications for a client that wants them: never faster than every few seconds, never slower than its patience. */
export function progressFor({ mcpReq }: ServerContext): Progress {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return { seen: () => undefined, end: () => undefined };
  let state: RunState | undefined;
  let last = 0;
  let said = '';
  let progress = -1;
  const send = (): void => {
    if (state === undefined || mcpReq.signal.aborted) return;
    const [now, { done, total, message }] = [Date.now(), standOf(state)];
    const isDue = now - last >= (message === said ? latest : soonest);
    if (!isDue) return;
    [last, said] = [now, message];
    // It has to grow, even where nothing was completed.
    progress = Math.max(done, progress + 0.001);
    const params = { progressToken, progress, total: Math.max(total, progress), message };
    void mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
  const timer = setInterval(send, 1000);
  timer.unref();
  return {
    seen: (seen) => {
      state = seen;
      send();
    },
    end: () => clearInterval(timer),
  };
}

const mostNamed = 3;

function standOf({ tasks, active }: RunState): { done: number; total: number; message: string } {
  const over = [...tasks.values()].filter(({ progress: { status } }) =>
    ['completed', 'failed', 'skipped'].includes(status),
  );
  const running = [...active.values()].map(({ registered }) => registered.task);
  const names = running.slice(0, mostNamed).join(', ') + (running.length > mostNamed ? ', …' : '');
  const [done, total] = [over.length, tasks.size];
  return { done, total, message: `${done}/${total} tasks${names === '' ? '' : `, at work: ${names}`}` };
}
