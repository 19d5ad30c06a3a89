/** The strength a plan asks for: by its own name, or by the family of models that stands for it. */
import { saysNothing } from '../markdown/inline.ts';
import type { Tier } from '../plan.ts';

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
