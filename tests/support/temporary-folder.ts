/** Folders that are gone when the tests of a file have ended. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';

export type Files = Readonly<Record<string, string | Buffer>>;

/** Called once per test file; each call of what it gives makes a new folder with these files in it. */
export function temporaryFolders(parent = tmpdir()): (files?: Files) => string {
  const made: string[] = [];
  afterAll(() => made.forEach((folder) => rmSync(folder, { recursive: true, force: true })));
  return (files = {}) => {
    const folder = realpathSync(mkdtempSync(join(parent, 'divisi-test-')));
    made.push(folder);
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    return folder;
  };
}
