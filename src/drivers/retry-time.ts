/**
 * When a program that has met a limit may be asked again, from what it wrote about it:
 * `retry after 30 seconds` (s, m, h), `Retry-After: 30`, or `retry at 2026-05-01T12:00:00Z`. The last one that makes sense
 * counts. Everything else, and a time that is past or more than a week away, is unknown.
 */

/** `Retry-After: 30`, and how the header looks in what a client prints of it. */
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

/** Not a number when there is no such moment. */
function timeOf({ moment: at, amount, unit: word = 's' }: Partial<Record<string, string>>, now: number): number {
  if (at !== undefined) return Date.parse(at);
  return Math.round(now + Number(amount) * millisecondsOf(word.toLowerCase()));
}

function millisecondsOf(word: string): number {
  if (word.startsWith('h')) return hour;
  return word.startsWith('m') ? 60_000 : 1000;
}
