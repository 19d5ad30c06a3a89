/** Live tasks: picks the tasks of the current wave that fit, and renders a line for each. */
import type { Paint, Tone } from './live-look.ts';
import { type LiveTask, type LiveWave, type Standing, standings, totalOf } from './live-model.ts';
import { clockOf, cutTo, fill, widthOf } from './live-text.ts';
import { markFor, progressWord } from '../run/task-report.ts';

const tones: Readonly<Record<Standing, Tone>> = {
  running: 'busy',
  trouble: 'bad',
  waiting: 'plain',
  skipped: 'quiet',
  completed: 'good',
};

/** In the plan's order where all fit; otherwise running tasks first, with a third of the room kept for trouble. */
function pick(tasks: readonly LiveTask[], whole: number, room: number): readonly LiveTask[] {
  if (tasks.length >= whole && tasks.length <= room) return tasks.toSorted((one, other) => one.place - other.place);
  const of = (standing: Standing): LiveTask[] => tasks.filter((task) => task.standing === standing);
  const trouble = of('trouble');
  const running = of('running').slice(0, Math.max(1, room - Math.min(trouble.length, Math.floor(room / 3))));
  const others = tasks.filter(({ standing }) => standing !== 'running' && standing !== 'trouble');
  return [...running, ...trouble, ...others].slice(0, room);
}

/** At most `room` lines; the last one counts the tasks not shown. */
export function liveTaskLines(
  wave: LiveWave,
  tasks: readonly LiveTask[],
  { columns, room, now, paint }: { columns: number; room: number; now: number; paint: Paint },
): string[] {
  const whole = Math.max(totalOf(wave.counts), tasks.length);
  if (room < 1 || whole === 0) return [];
  const shown = pick(tasks, whole, whole <= room ? room : Math.max(1, room - 1));
  // Reviews and fixes have long names that differ at the end.
  const longest = columns < 60 ? 12 : 18;
  const ids = Math.max(...shown.map(({ id }) => widthOf(cutTo(id, longest))), 1);
  const titles = Math.max(...shown.map(({ title }) => widthOf(cutTo(title, 40))), 8);
  const lines = shown.map((task) => taskLine(task, { columns, ids, titles, now, paint }));
  if (shown.length < whole && lines.length < room) {
    lines.push(paint('quiet', cutTo(restText(wave, shown, whole), columns)));
  }
  return lines;
}

function restText({ counts }: LiveWave, shown: readonly LiveTask[], whole: number): string {
  const hidden = standings.flatMap((standing) => {
    const number = counts[standing] - shown.filter((task) => task.standing === standing).length;
    return number > 0 ? [`${number} ${standing === 'trouble' ? 'in trouble' : standing}`] : [];
  });
  return `… and ${whole - shown.length} more: ${hidden.join(', ')}`;
}

/**
 * `[~] 1.2 title  standard  running  1:05  what it waits for or last said`. A narrow window drops the words first, then the
 * tier, the state (the mark shows it too), and the time.
 */
function taskLine(
  task: LiveTask,
  { columns, ids, titles, now, paint }: { columns: number; ids: number; titles: number; now: number; paint: Paint },
): string {
  const mark = `[${task.standing === 'trouble' ? '!' : markFor(task.status, task.escalated)}]`;
  const head = `${cutTo(mark, columns)} ${fill(task.id, ids)}`;
  const left = columns - widthOf(head) - 1;
  if (left < 2) return cutTo(head, columns);
  const time = left >= 22 ? ` ${timeOf(task, now).padStart(7)}` : '';
  const state = left >= 40 ? ` ${progressWord(task.status).padEnd(9)}` : '';
  const tier = left >= 52 ? ` ${fill(task.tier, 8)}` : '';
  const rest = left - time.length - state.length - widthOf(tier);
  const title = Math.min(titles, rest >= 32 ? Math.floor(rest / 2) : rest);
  const words = rest - title >= 12 ? `  ${cutTo(wordsOf(task, now), rest - title - 2)}` : '';
  const tone = tones[task.standing];
  const marked = `${paint(tone, head)} ${fill(task.title, title)}`;
  return `${marked}${paint('quiet', tier)}${paint(tone, state)}${time}${paint(wordsTone(task), words)}`.trimEnd();
}

function timeOf({ since, took }: LiveTask, now: number): string {
  if (since !== undefined) return clockOf(now - since);
  return took === undefined ? '' : clockOf(took);
}

/** The evidence where the agent is not known to be working, then its last message or action. */
function wordsOf({ activity, words }: LiveTask, now: number): string {
  if (activity === undefined) return words;
  const { at, line, liveness } = activity;
  const isWorking = liveness === undefined || liveness.state === 'working';
  const parts = [words];
  if (!isWorking) parts.push(`${liveness.state}: ${liveness.evidence}`);
  if (line !== '') parts.push(isWorking ? `${clockOf(now - at)} ago: ${line}` : line);
  return parts.filter((part) => part !== '').join('; ');
}

function wordsTone({ activity }: LiveTask): Tone {
  const state = activity?.liveness?.state;
  return state === 'hung' || state === 'dead' ? 'bad' : 'quiet';
}
