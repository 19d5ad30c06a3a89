/** Live needs: the bottom of the live view. Shows what needs a person, the exact commands, and the keys. */
import { diskText } from '../../core/state/disk.ts';
import type { LiveLook } from './live-look.ts';
import type { LiveModel } from './live-model.ts';
import { clockOf, cutTo } from './live-text.ts';

interface Place {
  readonly columns: number;
  /** Lines of the whole window. */
  readonly room: number;
  readonly now: number;
}

/** At least one line for what needs a person, at most half of the window. */
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

/** The reason, then the command; the command alone where both do not fit. */
function callTexts(model: LiveModel, { columns, room, now }: Place): string[] {
  const { checkpoints, quota, disk } = model;
  const [first] = checkpoints;
  const waits = [
    ...(quota === null ? [] : [quotaText(quota, columns, now)]),
    ...(disk === null ? [] : [`waiting for disk space: ${diskText(disk)}`]),
  ];
  if (first === undefined) return waits.slice(0, room);
  const others = checkpoints.length === 1 ? '' : ` (and ${checkpoints.length - 1} more)`;
  const commands = commandTexts(model, columns);
  const why = `checkpoint${others}: ${first.why.slice(0, 400)}`;
  return (room > commands.length ? [...waits.slice(0, room - commands.length - 1), why, ...commands] : commands).slice(
    0,
    room,
  );
}

/** Commands are never cut; without a run id they mean the active run. */
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
  // Rounds up: never shows 0:00 while waiting.
  const left = `${guessed ? 'about ' : ''}${clockOf(Math.ceil((until - now) / 1000) * 1000)} left`;
  return columns < 40 ? `quota: ${left}` : `waiting for quota, ${left}; continues automatically`;
}

/** The consequence of an answer is shown in full or not at all. */
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
  if (stops > 1) return ['stopping now'];
  if (stops === 1) return [isNarrow ? 'stopping' : 'stopping; press Ctrl-C again to stop now'];
  if (!keys) return [];
  const [first] = checkpoints;
  if (first === undefined || !answers) return ['Ctrl-C pause'];
  const lines = [`a approve: ${first.approve}`, `r reject: ${first.reject}`, 'Ctrl-C pause'];
  const long = lines.join('; ');
  if (long.length <= columns) return [long];
  if (lines.length <= room && lines.every((line) => line.length <= columns)) return lines;
  return [isNarrow ? 'a approve, r reject' : 'a approve, r reject, Ctrl-C pause'];
}
