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
  const isUrgent = armed !== null || stops > 0;
  const hasKeys = isUrgent || look.keys;
  const called =
    isUrgent && most < 2 ? [] : callTexts(model, { columns, room: most > 1 && hasKeys ? most - 1 : most, now });
  const keys = keyTexts(model, look, { columns, room: most - called.length });
  return [
    ...called.map((text) => paint('call', cutTo(text, columns))),
    ...keys.map((text) => paint(isUrgent ? 'call' : 'quiet', cutTo(text, columns))),
  ].slice(0, most);
}

/** Why, then what to do; where there is no room for both, what to do. */
function callTexts(model: LiveModel, { columns, room, now }: Place): string[] {
  const { checkpoints, quota } = model;
  const [first] = checkpoints;
  const waits = quota === null ? [] : [quotaText(quota, columns, now)];
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
function commandTexts({ run, checkpoints: [first, ...others] }: LiveModel, columns: number): string[] {
  const isNamed = others.length > 0 || first?.isEdit === true;
  const named = isNamed ? `--checkpoint ${first?.id}` : '';
  for (const which of named === '' ? [run] : [`${run} ${named}`, named]) {
    const [approve, reject] = [`divisi approve ${which}`, `divisi reject ${which}`];
    const both = `needs you: ${approve} or ${reject}`;
    if (both.length <= columns) return [both];
    if (`needs you: ${approve}`.length <= columns) return [`needs you: ${approve}`, `  or: ${reject}`];
  }
  const short = 'needs you: divisi approve | reject';
  return [short.length <= columns ? short : '! divisi approve'];
}

function quotaText({ until, guessed }: NonNullable<LiveModel['quota']>, columns: number, now: number): string {
  // A second that has begun is still to come: it never says 0:00 while it waits.
  const left = `${guessed ? 'perhaps ' : ''}${clockOf(Math.ceil((until - now) / 1000) * 1000)} more`;
  return columns < 40 ? `quota: ${left}` : `waits for a quota, ${left}; then it goes on by itself`;
}

/** What follows from either answer is said in full or not at all. */
function keyTexts(
  { checkpoints }: LiveModel,
  { keys, answers, armed, stops }: LiveLook,
  { columns, room }: Pick<Place, 'columns' | 'room'>,
): string[] {
  const isNarrow = columns < 40;
  if (armed !== null) {
    const key = armed === 'approve' ? 'a' : 'r';
    return [isNarrow ? `${key} again: ${armed}` : `press ${key} again to ${armed}`];
  }
  if (stops > 1) return ['ending at once'];
  if (stops === 1) return [isNarrow ? 'stopping' : 'stopping; Ctrl-C once more ends it at once'];
  if (!keys) return [];
  const [first] = checkpoints;
  if (first === undefined || !answers) return ['Ctrl-C pause'];
  const told = [`a approve: ${first.approve}`, `r reject: ${first.reject}`, 'Ctrl-C pause'];
  const long = told.join('; ');
  if (long.length <= columns) return [long];
  if (told.length <= room && told.every((line) => line.length <= columns)) return told;
  return [isNarrow ? 'a approve, r reject' : 'a approve, r reject, Ctrl-C pause'];
}
