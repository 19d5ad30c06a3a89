/**
 * Reads from a program's output when to retry after a limit: `retry after 30 seconds` (s, m, h), `Retry-After: 30`, or
 * `retry at 2026-05-01T12:00:00Z`. The last plausible one wins. Anything else, a past time, and a time more than a week away
 * are unknown.
 */

/** `Retry-After: 30`, and the header as clients print it. */
const is = String.raw`["']?[ \t]{0,4}[:=]?[ \t]{0,4}["']?`;
const unit = String.raw`[ \t]{0,4}(?<unit>s|seconds?|m|minutes?|h|hours?)(?![\w-])`;
/** `3 attempts`, `2 days` or `12:30` are not seconds. */
const noUnit = String.raw`(?![ \t]*[a-z]|[\w:-]|\.\d)`;
const duration = String.raw`(?<amount>\d{1,9}(?:\.\d{1,3})?)(?:${unit}|${noUnit})`;
const moment = String.raw`(?<moment>\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)?)(?![\w:-])`;
const pattern = new RegExp(String.raw`\bretry[ _-](?:after${is}${duration}|at${is}${moment})`, 'gi');

const hour = 3_600_000;
const furthest = 7 * 24 * hour;

export function retryTime(text: string, now: number): number | undefined {
  const times = [...text.matchAll(pattern)].map(({ groups = {} }) => timeOf(groups, now));
  return times.findLast((time) => time >= now && time <= now + furthest);
}

/** NaN for an invalid time. */
function timeOf({ moment: at, amount, unit: word = 's' }: Partial<Record<string, string>>, now: number): number {
  if (at !== undefined) return Date.parse(at);
  return Math.round(now + Number(amount) * millisecondsOf(word.toLowerCase()));
}

function millisecondsOf(word: string): number {
  if (word.startsWith('h')) return hour;
  return word.startsWith('m') ? 60_000 : 1000;
}
