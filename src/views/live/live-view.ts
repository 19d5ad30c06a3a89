/**
 * Live view: a run at a glance in a window of any size: progress, waves, tasks of the current wave, and always, at the
 * bottom, what needs a person. Leaves one row of the window free; no line is wider than the window.
 */
import { type Paint, plainLook, type WindowSize } from './live-look.ts';
import type { Counts, LiveModel, LiveWave } from './live-model.ts';
import { totalOf } from './live-model.ts';
import { needLines } from './live-needs.ts';
import { liveTaskLines } from './live-tasks.ts';
import { clockOf, cutTo, widthOf } from './live-text.ts';

export function liveView(model: LiveModel, { columns, rows }: WindowSize, now: number, look = plainLook): string[] {
  const room = Math.max(0, rows - 1);
  if (columns < 1) return [];
  const { paint } = look;
  const bottom = needLines(model, look, { columns, room, now });
  const above = room - bottom.length;
  const { wave } = model;
  const top = [
    ...(above >= 4 ? [headLine(model, columns, paint)] : []),
    ...(above >= 1 ? [barLine(model, columns, now, paint)] : []),
  ];
  const waveHead = wave !== null && above >= 3 ? [waveLine(wave, model.waves, columns, paint)] : [];
  const left = above - top.length - waveHead.length;
  const others = othersThan(wave, model.waves);
  const kept = Math.min(others, left >= 9 ? 3 : left >= 5 ? 1 : 0);
  const tasks = wave === null ? [] : liveTaskLines(wave, model.tasks, { columns, room: left - kept, now, paint });
  const { before, after } = otherWaves(model, left - tasks.length, columns, paint);
  return [...top, ...before, ...waveHead, ...tasks, ...after, ...bottom].slice(0, room);
}

function headLine({ run, title, status }: LiveModel, columns: number, paint: Paint): string {
  const state = status === 'running' ? '' : ` (${status})`;
  if (columns < 50) return paint('strong', cutTo(`${title}${state}`, columns));
  const named = cutTo(run, columns - 10);
  return `${paint('quiet', named)} ${paint('strong', cutTo(`${title.slice(0, 400)}${state}`, columns - widthOf(named) - 1))}`;
}

/** `[#####.....] 5 of 10, 1 in trouble, 2 running, 1:05`; a narrow window drops the bar, then the end of the line. */
function barLine({ counts, since }: LiveModel, columns: number, now: number, paint: Paint): string {
  const whole = totalOf(counts);
  const numbers = [
    `${counts.completed} of ${whole}`,
    ...(counts.trouble > 0 ? [`${counts.trouble} in trouble`] : []),
    ...(counts.skipped > 0 ? [`${counts.skipped} skipped`] : []),
    ...(counts.running > 0 ? [`${counts.running} running`] : []),
    ...(counts.waiting > 0 ? [`${counts.waiting} waiting`] : []),
  ];
  const time = clockOf(now - since);
  const text = `${time}  ${numbers.join(', ')}`;
  const bar = Math.min(30, columns - text.length - 3);
  return bar < 8 ? cutTo(text, columns) : `${progressBar(counts, bar, paint)} ${text}`;
}

function progressBar(counts: Counts, columns: number, paint: Paint): string {
  const whole = Math.max(1, totalOf(counts));
  const done = Math.floor((counts.completed / whole) * columns);
  const lost = Math.min(columns - done, Math.ceil(((counts.trouble + counts.skipped) / whole) * columns));
  const open = '.'.repeat(columns - done - lost);
  return `[${paint('good', '#'.repeat(done))}${paint('bad', '!'.repeat(lost))}${paint('quiet', open)}]`;
}

/** False for the audit and the final review. */
function isOfPlan({ number }: LiveWave, waves: number): boolean {
  return number >= 1 && number <= waves;
}

function othersThan(wave: LiveWave | null, waves: number): number {
  return wave !== null && isOfPlan(wave, waves) ? waves - 1 : waves;
}

function waveText(wave: LiveWave, waves: number): string {
  const { number, title } = wave;
  if (!isOfPlan(wave, waves)) return title;
  return `wave ${number} of ${waves}${title === '' ? '' : ` ${title.slice(0, 200)}`}`;
}

function waveLine(wave: LiveWave, waves: number, columns: number, paint: Paint): string {
  const done = isOfPlan(wave, waves) ? [`${wave.counts.completed} of ${totalOf(wave.counts)}`] : [];
  const counts = [...(wave.status === 'running' && done.length > 0 ? [] : [wave.status]), ...done].join(', ');
  const named = cutTo(waveText(wave, waves), Math.min(columns, Math.max(8, columns - counts.length - 2)));
  return `${paint('strong', named)}${cutTo(`: ${counts}`, columns - widthOf(named))}`;
}

/** The waves nearest to the current one; the last line counts those left out. */
function otherWaves(
  { before, after, waves, wave }: LiveModel,
  room: number,
  columns: number,
  paint: Paint,
): { before: string[]; after: string[] } {
  const whole = othersThan(wave, waves);
  if (room < 1 || whole === 0) return { before: [], after: [] };
  const shown = whole <= room ? room : room - 1;
  const later = after.slice(0, Math.max(shown - before.length, Math.ceil(shown / 2)));
  const earlier = shown - later.length < 1 ? [] : before.slice(-(shown - later.length));
  const line = (one: LiveWave): string => {
    const { completed, trouble } = one.counts;
    const bad = trouble === 0 ? '' : `, ${trouble} in trouble`;
    const text = `${waveText(one, waves)}: ${one.status}, ${completed} of ${totalOf(one.counts)}${bad}`;
    return paint(one.status === 'failed' ? 'bad' : 'quiet', cutTo(text, columns));
  };
  const missing = whole - later.length - earlier.length;
  const more = missing === 0 ? [] : [paint('quiet', cutTo(`… and ${missing} more waves`, columns))];
  return { before: earlier.map(line), after: [...later.map(line), ...more] };
}
