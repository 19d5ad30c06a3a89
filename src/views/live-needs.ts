/** The bottom of the live view: what needs a person, with the exact commands, and what the keys do. */
import type { LiveLook } from './live-look.ts';
import type { LiveModel } from './live-model.ts';
import { clockOf, cutTo } from './live-text.ts';

interface Place {
  readonly columns: number;
  /** Lines of the whole window. */
  readonly room: number;
  readonly now: number;
}

/** At least a line for what needs a person, however small the window is; never more than half of it. */
export function needLines(model: LiveModel, look: LiveLook, { columns, room, now }: Place): string[] {
  const { paint, armed, stops } = look;
  const most = Math.min(room, Math.max(1, Math.floor(room / 2)));
  const keys = keysText(model, look, columns);
  const isUrgent = armed !== null || stops > 0;
  const keyLines = keys === '' ? [] : [paint(isUrgent ? 'call' : 'quiet', cutTo(keys, columns))];
  if (isUrgent && most < 2) return keyLines.slice(0, most);
  const called = callTexts(model, { columns, room: isUrgent ? most - 1 : most, now });
  return [...called.map((text) => paint('call', cutTo(text, columns))), ...keyLines].slice(0, most);
}

/** Why, then what to do; where there is no room for both, what to do. */
function callTexts(model: LiveModel, { columns, room, now }: Place): string[] {
  const { checkpoints, quota } = model;
  const [first] = checkpoints;
  const waits = quota === null ? [] : [quotaText(quota, now)];
  if (first === undefined) return waits.slice(0, room);
  const others = checkpoints.length === 1 ? '' : ` (and ${checkpoints.length - 1} more)`;
  const commands = commandTexts(model, columns);
  const why = `checkpoint${others}: ${first.why.slice(0, 400)}`;
  return (room > commands.length ? [...waits.slice(0, room - commands.length - 1), why, ...commands] : commands).slice(
    0,
    room,
  );
}

/** A command that is cut is of no use: without a run the active one is meant. */
function commandTexts({ run }: LiveModel, columns: number): string[] {
  const [approve, reject] = [`tutti approve ${run}`, `tutti reject ${run}`];
  const both = `needs you: ${approve} or ${reject}`;
  if (both.length <= columns) return [both];
  const short = 'tutti approve | reject';
  if (`needs you: ${approve}`.length <= columns) return [`needs you: ${approve}`, `       or: ${reject}`];
  return [`needs you: ${short}`.length <= columns ? `needs you: ${short}` : '! tutti approve'];
}

function quotaText({ until, guessed }: NonNullable<LiveModel['quota']>, now: number): string {
  return `waits for a quota, ${guessed ? 'perhaps ' : ''}${clockOf(until - now)} more; then it goes on by itself`;
}

function keysText({ checkpoints }: LiveModel, { keys, answers, armed, stops }: LiveLook, columns: number): string {
  if (armed !== null) return `press ${armed === 'approve' ? 'a' : 'r'} again to ${armed}`;
  if (stops > 1) return 'ending at once';
  if (stops === 1) return columns < 40 ? 'stopping' : 'stopping; Ctrl-C once more ends it at once';
  if (!keys) return '';
  const [first] = checkpoints;
  if (first === undefined || !answers) return 'Ctrl-C pause';
  const long = `a approve: ${first.approve}; r reject: ${first.reject}; Ctrl-C pause`;
  return long.length <= columns ? long : 'a approve, r reject, Ctrl-C pause';
}
