/**
 * Paints on a terminal's two screens: the record grows on the first, with its scrollback; the frame is on the second. A frame below
 * the record on one screen could not be erased after a narrower window has wrapped its lines; the second screen vanishes whole.
 */

const escape = '\u{1b}[';
/** Synchronised output, in terminals that support it. */
const [together, shown] = [`${escape}?2026h`, `${escape}?2026l`];
const [frameScreen, recordScreen] = [`${escape}?1049h`, `${escape}?1049l`];
const [hideCursor, showCursor] = [`${escape}?25l`, `${escape}?25h`];
/** A line that is wider than we think is cut, not broken. */
const [cutLines, breakLines] = [`${escape}?7l`, `${escape}?7h`];
const top = `${escape}H`;
const eraseLine = `${escape}2K`;
const eraseBelow = `${escape}J`;

/** The frame's screen takes the place of the record's. */
export const enterFrame = frameScreen + hideCursor;

/** The record's screen is back as it was, with these lines added. */
export function leaveFrame(lines: readonly string[]): string {
  return recordScreen + showCursor + lines.map((line) => `${line}\n`).join('');
}

/** From the record's screen to the frame's and, for lines that are new, back in between. */
export function paintText(record: readonly string[], frame: readonly string[]): string {
  const added = record.length === 0 ? '' : leaveFrame(record) + enterFrame;
  // The rest of the window is erased before the last line is written: behind it, the last column would go as well.
  const lines = frame.map((line, at) => eraseLine + (at === frame.length - 1 ? eraseBelow : '') + line);
  const painted = frame.length === 0 ? eraseBelow : lines.join('\n');
  return `${together}${added}${top}${cutLines}${painted}${breakLines}${shown}`;
}
