/** Review: reads tiers, and the tier that reviews a task or a wave. */
import type { Tier } from '../plan.ts';
import { plain, saysNothing } from '../markdown/inline.ts';

const meanings: ReadonlyMap<string, Tier | undefined> = new Map([
  ['fast', 'fast'],
  ['haiku', 'fast'],
  ['standard', 'standard'],
  ['sonnet', 'standard'],
  ['deep', 'deep'],
  ['opus', 'deep'],
  ['ultrathink', 'deep'],
  // Whatever the configuration says.
  ['auto', undefined],
  ['default', undefined],
  ['inherit', undefined],
] as const);

export function readTier(text: string): { readonly tier: Tier | undefined } | 'unknown' {
  if (saysNothing(text)) return { tier: undefined };
  const word = text
    .slice(0, 200)
    .toLowerCase()
    .split(/[^a-z]+/)
    .find((part) => meanings.has(part));
  return word === undefined ? 'unknown' : { tier: meanings.get(word) };
}

/** The tier of a review that names none. */
const usual: Tier = 'deep';

/** A sentence about a review is not a tier, although it may contain one. */
const around = /\b(?:tier|model|agent|swarm|review|reviewer)\b/g;

/** `none` for a text that declines a review. */
export function readReview(text: string): Tier | 'none' | 'unknown' {
  const words = plain(text.slice(0, 200)).toLowerCase();
  if (saysNothing(words) || /^(?:no|false|off|never|\[ \])$/.test(words)) return 'none';
  if (/^(?:yes|true|x|\[x\])$/.test(words)) return usual;
  const names = words
    .replaceAll(around, ' ')
    .split(/[^a-z]+/)
    .filter((name) => name !== '');
  const readings = names.map(readTier);
  const [first] = readings;
  if (first === undefined || readings.includes('unknown') || first === 'unknown') return 'unknown';
  return first.tier ?? usual;
}

/** `security-lead`, `kit:security-lead`, `security-lead (fast)`: the name of an agent; undefined for any other text. */
export function reviewerIn(text: string): { readonly agent: string; readonly tier?: Tier } | undefined {
  const words = plain(text.slice(0, 200).replaceAll('`', ''));
  const [, agent = '', inside] = /^([A-Za-z][A-Za-z0-9_:-]{0,79})(?: \(([a-z]{1,20})\))?$/.exec(words) ?? [];
  const isWord = /^(?:no|false|off|never|none|yes|true|x)$/i.test(agent) || meanings.has(agent.toLowerCase());
  if (agent === '' || isWord || outcomes.test(agent)) return undefined;
  const named = readTier(inside ?? agent);
  return named === 'unknown' || named.tier === undefined ? { agent } : { agent, tier: named.tier };
}

const outcomes =
  /^(?:low|med|medium|high|ok|pass|passed|clean|approved|accepted|rejected|required|mandatory|skipped)$/i;

/** Older plans keep the outcome of a wave's review here: marks, verdicts, paths, sentences. */
export function isReviewOutcome(text: string): boolean {
  const words = plain(text.slice(0, 200));
  return !/^[a-z]+$/i.test(words) || outcomes.test(words);
}
