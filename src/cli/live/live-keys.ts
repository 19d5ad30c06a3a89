/** Interprets keys while a run is watched. Answering a checkpoint takes the same key twice, against accidents. */

/** Milliseconds within which the second press has to come. */
const patience = 3000;

export interface Armed {
  readonly answer: 'approve' | 'reject';
  readonly checkpoint: string;
  readonly until: number;
}

export interface Pressed {
  readonly armed: Armed | null;
  /** Pressed twice, in time. */
  readonly answered?: { readonly checkpoint: string; readonly approved: boolean };
}

const answers = new Map<string, Armed['answer']>([
  ['a', 'approve'],
  ['r', 'reject'],
]);

/**
 * `open` is the first checkpoint that waits for an answer. Any other key takes back what the first press meant, and so does
 * text that was pasted; two presses in a row may arrive together.
 */
export function press(armed: Armed | null, sent: string, open: string | undefined, now: number): Pressed {
  const [key = ''] = sent;
  const isTwice = sent === key + key;
  const answer = answers.get(isTwice ? key : sent);
  if (answer === undefined || open === undefined) return { armed: null };
  const isSecond = armed?.answer === answer && armed.checkpoint === open && now <= armed.until;
  if (isTwice || isSecond) return { armed: null, answered: { checkpoint: open, approved: answer === 'approve' } };
  return { armed: { answer, checkpoint: open, until: now + patience } };
}

/** Raw mode disables these signals of the terminal. */
export function signalOf(sent: string): NodeJS.Signals | undefined {
  if (sent.includes('\u{3}')) return 'SIGINT';
  if (sent.includes('\u{1a}')) return 'SIGTSTP';
  return sent.includes('\u{1c}') ? 'SIGQUIT' : undefined;
}
