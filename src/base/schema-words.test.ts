import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { inWords } from './schema-words.ts';

const schema = z.strictObject({
  name: z.string(),
  kind: z.enum(['a', 'b']),
  count: z.int().check(z.positive('count from one')),
});

describe('what a schema expected', () => {
  it.each([
    ['a type', { name: 1, kind: 'a', count: 1 }, 'expected string, received number'],
    ['a choice', { name: '', kind: 'c', count: 1 }, 'expected one of "a"|"b"'],
    ['a key it does not know', { name: '', kind: 'a', count: 1, more: 1 }, 'Unrecognized key: "more"'],
    ['its own words where it has some', { name: '', kind: 'a', count: 0 }, 'count from one'],
  ])('%s', (_what, value, words) => {
    expect(schema.safeParse(value, inWords).error?.issues[0]?.message).toContain(words);
  });
});
