/** Seed record: what Divisi knows about one set-up, measured, and whether its result is kept for other rooms. */
import * as z from 'zod/mini';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lazy } from '../../../base/lazy.ts';
import { objectIn } from '../../../base/json-value.ts';
import { writePrivately } from '../../atomic-file.ts';
import { isMissing } from '../../project-path.ts';

const count = lazy(() => z.number().check(z.nonnegative()));

const seedRecordSchema = lazy(() =>
  z.strictObject({
    /** Milliseconds since 1970. */
    madeAt: count(),
    usedAt: count(),
    commands: z.array(z.array(z.string())),
    /** Milliseconds that the commands took. */
    setUp: count(),
    /** Milliseconds of the last copy into a room. */
    copy: z.optional(count()),
    /** Whether files share their blocks on this file system. */
    reflinks: z.boolean(),
    files: count(),
    bytes: count(),
    /** Whether a part of the result is not ignored: a commit keeps such changes apart from the work. */
    showsInStatus: z.boolean(),
    /** Paths that a room must not have yet, relative to its top. */
    untracked: z.array(z.string()),
    /** Why the result is not kept, and set-up runs in every room. */
    why: z.optional(z.string()),
  }),
);
export type SeedRecord = z.infer<ReturnType<typeof seedRecordSchema>>;

const recordIn = (folder: string): string => join(folder, 'seed.json');

/** Undefined for a folder that holds no seed. */
export async function readSeedRecord(folder: string): Promise<SeedRecord | undefined> {
  try {
    const read = seedRecordSchema().safeParse(objectIn(await readFile(recordIn(folder), 'utf8')));
    return read.success ? read.data : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

export async function writeSeedRecord(folder: string, record: SeedRecord): Promise<void> {
  await writePrivately(recordIn(folder), `${JSON.stringify(record)}\n`);
}
