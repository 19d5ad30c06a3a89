/** Says in a few words what a client waits for: `401 authentication_failed, attempt 5 of 10, retries in 9.3 s`. */
import { joined } from './values.ts';

interface Wait {
  /** The HTTP status; empty if unknown. */
  readonly status: string;
  readonly error: string;
  readonly attempt: string;
  readonly of: string;
  /** Milliseconds until it tries again. */
  readonly delay?: number | undefined;
}

export function waitText({ status, error, attempt, of, delay }: Wait): string {
  const which = attempt === '' ? '' : `attempt ${attempt}${of === '' ? '' : ` of ${of}`}`;
  const when = delay === undefined ? '' : delay < 1000 ? `${Math.round(delay)} ms` : `${(delay / 1000).toFixed(1)} s`;
  return joined(', ', joined(' ', status, error) || 'an error', which, when === '' ? '' : `retries in ${when}`);
}

/** Codex and those that drive it: `Reconnecting... 2/5`, with the error in brackets or beside it. */
const reconnecting = /^reconnecting\.{3}(?: (\d{1,4})\/(\d{1,4}))?/i;
const statusIn = /\bstatus:? (\d{3})(?: ([A-Z][A-Za-z ]{0,40}))?/;

/** Null for a text that is not a notice of a retry. `details`: the error, where it is not in the text. */
export function codexWait(text: string, details = text): { readonly text: string; readonly error: string } | null {
  const found = reconnecting.exec(text);
  if (found === null) return null;
  const [, attempt = '', of = ''] = found;
  const [, status = '', error = ''] = statusIn.exec(details) ?? [];
  const whole = details === text ? text : `${text} ${details}`;
  return { text: status === '' ? whole : waitText({ status, error, attempt, of }), error: whole };
}

/** Gemini CLI on standard error. */
const geminiRetry = /^Attempt (\d{1,4}) failed([^\n]{0,400}?)\. Retrying (?:after (\d{1,9})ms|with backoff)\.\.\./gm;

/** The last notice of a retry at the end of a standard error; undefined for none. */
export function stderrWait(text: string): string | undefined {
  const found = [...text.matchAll(geminiRetry)].at(-1);
  if (found === undefined) return undefined;
  const [, attempt = '', why = '', delay] = found;
  const status = /^ with (?:status )?(\d{3})/.exec(why)?.[1] ?? '';
  const error = status === '' ? why.replace(/^: /, '') : '';
  return waitText({ status, error, attempt, of: '', delay: delay === undefined ? undefined : Number(delay) });
}
