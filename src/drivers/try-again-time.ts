/**
 * Reads when to retry from a message for people: `try again in 2 hours 5 minutes`; by this machine's clock,
 * `try again at 3:52 AM` (today) or `try again at Nov 18th, 2026 3:52 AM`; or `resets 4:39am (UTC)`, its next occurrence.
 * Anything else, a past time, and a time more than a week away are unknown.
 */
const hour = 3_600_000;
const furthest = 7 * 24 * hour;

const units: Readonly<Record<string, number>> = { d: 24 * hour, h: hour, m: 60_000, s: 1000 };
const amount = String.raw`\d{1,6}(?:\.\d{1,3})?\s?(?:days?|hours?|minutes?|seconds?|d|h|m|s)(?![a-z])`;
const inTime = new RegExp(String.raw`\btry again in (?<span>${amount}(?:,?\s?(?:and\s)?${amount}){0,3})`, 'i');
const clock = String.raw`(?<hours>\d{1,2}):(?<minutes>\d\d)\s?(?<half>[AP]M)\b`;
const day = String.raw`(?:(?<month>[A-Z][a-z]{2}) (?<day>\d{1,2})(?:st|nd|rd|th)?, (?<year>\d{4}) )?`;
const atTime = new RegExp(String.raw`\btry again at ${day}${clock}`);

const resets = /\bresets (?<hours>\d{1,2})(?::(?<minutes>\d\d))?\s?(?<half>[ap]m) \(UTC\)/i;

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export function tryAgainTime(text: string, now: number): number | undefined {
  const span = inTime.exec(text)?.groups?.['span'];
  const groups = atTime.exec(text)?.groups;
  const reset = resets.exec(text)?.groups;
  const time =
    span === undefined
      ? ((groups && onTheClock(groups, now)) ?? (reset && nextInUtc(reset, now)))
      : now + lengthOf(span);
  return time !== undefined && time >= now && time <= now + furthest ? time : undefined;
}

function lengthOf(span: string): number {
  const parts = [...span.matchAll(/(\d+(?:\.\d+)?)\s?([dhms])/gi)];
  return Math.round(
    parts.reduce((sum, [, number, unit = '']) => sum + Number(number) * (units[unit.toLowerCase()] ?? 0), 0),
  );
}

function nextInUtc(groups: Partial<Record<string, string>>, now: number): number {
  const [hours, minutes] = timeOfDay(groups);
  const today = new Date(now).setUTCHours(hours, minutes + 1, 0, 0);
  return today >= now ? today : today + 24 * hour;
}

/** Hours from 0 to 23 and minutes; NaN for an invalid time. */
function timeOfDay({ hours, minutes = '0', half }: Partial<Record<string, string>>): [number, number] {
  const [hoursOf, minutesOf] = [Number(hours), Number(minutes)];
  if (!(hoursOf >= 1 && hoursOf <= 12 && minutesOf <= 59)) return [Number.NaN, Number.NaN];
  return [(hoursOf % 12) + (half?.toLowerCase() === 'pm' ? 12 : 0), minutesOf];
}

/** NaN for an invalid time. The message has whole minutes: returns the end of that minute. */
function onTheClock(groups: Partial<Record<string, string>>, now: number): number {
  const [hours, minutes] = timeOfDay(groups);
  const time = new Date(now);
  if (groups['month'] !== undefined) {
    time.setFullYear(Number(groups['year']), months.indexOf(groups['month']), Number(groups['day']));
    if (!months.includes(groups['month'])) return Number.NaN;
  }
  return time.setHours(hours, minutes + 1, 0, 0);
}
