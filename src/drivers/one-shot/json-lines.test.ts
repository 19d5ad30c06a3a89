import { appendFile, open } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolders } from '../../../tests/support/temporary-folder.ts';
import { type JsonLines, jsonLines } from './json-lines.ts';

const folder = temporaryFolders();

async function next(lines: JsonLines): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const line of lines.next()) all.push(line);
  return all;
}

/** Adds these pieces to a file, and looks after each of them. */
async function looks(pieces: readonly (string | Buffer)[], from = 0, longest?: number): Promise<unknown[][]> {
  const file = join(folder({ 'a.jsonl': '' }), 'a.jsonl');
  const handle = await open(file);
  try {
    const lines = jsonLines(handle, from, longest);
    const seen: unknown[][] = [];
    for (const piece of pieces) {
      await appendFile(file, piece);
      seen.push(await next(lines));
    }
    return [...seen, lines.last()];
  } finally {
    await handle.close();
  }
}

describe('the lines of a file that grows', () => {
  it('count when they are whole, the last one at the end', async () => {
    expect(await looks(['{"a"', ':1}\n2\n"x', '"\n', '', 'true'])).toEqual([[], [{ a: 1 }, 2], ['x'], [], [], [true]]);
  });

  it('are left out when they are no JSON', async () => {
    expect(await looks(['no\n\n{"a":\n1\n\r\n', 'half'])).toEqual([[1], [], []]);
  });

  it('are read from where a turn begins', async () => {
    expect(await looks(['"before"\n"after"\n'], 9)).toEqual([['after'], []]);
  });

  it('are left out when they are too long, and those after them are not', async () => {
    const long = JSON.stringify('x'.repeat(300_000));
    expect(await looks([`${long}\n1\n`], 0, 100_000)).toEqual([[1], []]);
    expect(await looks([`1\n${long}`, '\n2\n'], 0, 100_000)).toEqual([[1], [2], []]);
    expect(await looks([`${long}\n1\n`])).toEqual([['x'.repeat(300_000), 1], []]);
  });

  it('are the same however they come in', async () => {
    const pieces = fc.array(fc.nat({ max: 40 }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue(), { maxLength: 6 }), pieces, async (values, cuts) => {
        const plain = values.map((value) => JSON.stringify(value));
        const bytes = Buffer.from(plain.map((line) => `${line}\n`).join(''));
        const ends = [...cuts.toSorted((one, other) => one - other), bytes.length];
        const parts = ends.map((end, at) => bytes.subarray(Math.min(ends[at - 1] ?? 0, bytes.length), end));
        expect((await looks(parts)).flat().map((value) => JSON.stringify(value))).toEqual(plain);
      }),
      { numRuns: 60 },
    );
  });
});
