import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolders } from '../../../tests/support/temporary-folder.ts';
import { checkEvidence } from './evidence.ts';
import type { WorkChange } from '../work.ts';

const folder = temporaryFolders();
const manifest = JSON.stringify({ scripts: { build: 'tsc', 'test:unit': 'vitest' } });

async function found(text: string, more: { changes?: WorkChange[]; manifest?: string } = {}): Promise<string[]> {
  const directory = folder({ 'src/cart/total.ts': 'x', 'bin/run': 'x', 'package.json': more.manifest ?? manifest });
  symlinkSync(folder({ 'deep/a.ts': 'x' }), join(directory, 'linked'));
  const ignored = (paths: readonly string[]): Promise<Set<string>> =>
    Promise.resolve(new Set(paths.filter((path) => path.startsWith('dist/'))));
  const findings = await checkEvidence({
    directory,
    texts: ['all is well', text],
    changes: more.changes ?? [],
    ownPaths: ['.divisi/runs/r/task-1.md'],
    ignored,
  });
  return findings.map(({ fact }) => fact);
}

describe('evidence', () => {
  it.each<[text: string, ...facts: string[]]>([
    ['src/cart/total.ts is covered'],
    ['cart/total.ts is covered'],
    ['total.ts is covered'],
    ['./bin/run says so'],
    ['dist/index.js is built'],
    ['see task-1.md and .divisi/runs/r/other.md'],
    ['linked/deep/a.ts is covered'],
    ['src/cart/totals.ts is covered', 'there is no src/cart/totals.ts'],
    ['x/cart/total.ts is covered', 'there is no x/cart/total.ts'],
    ['./bin/walk says so', 'there is no bin/walk'],
    ['a.test.ts and b.test.ts pass', 'there is no a.test.ts, b.test.ts'],
    ['npm run build and npm run test:unit pass'],
    ['npm run lint passes', 'there is no npm run lint'],
  ])('%j', async (text, ...facts) => {
    expect(await found(text)).toEqual(facts);
  });

  it('is shown as it was said', async () => {
    const facts = {
      directory: folder({ 'a.ts': '' }),
      changes: [],
      ownPaths: [],
      ignored: () => Promise.resolve(new Set<string>()),
    };
    const texts = ['all is well', 'a.ts passes', 'a.ts and b.ts pass', 'c.ts passes'];
    expect(await checkEvidence({ ...facts, texts })).toEqual([
      {
        kind: 'evidence-unknown',
        rejects: false,
        claim: 'a.ts and b.ts pass',
        fact: 'there is no b.ts, c.ts',
        paths: ['b.ts', 'c.ts'],
      },
    ]);
  });

  it('may name what the change made or removed', async () => {
    const changes: WorkChange[] = [
      { path: 'src/new.ts', change: 'added', mode: '100644' },
      { path: 'src/old.ts', change: 'deleted', mode: '' },
    ];
    expect(await found('src/new.ts replaces src/old.ts', { changes })).toEqual([]);
    expect(await found('src/new.ts replaces src/old.ts')).toEqual(['there is no src/new.ts, src/old.ts']);
  });

  it.each(['{', 'null', '[]', '{"workspaces": ["a"]}', '{"scripts": 3}'])(
    'is not held against the manifest %s',
    async (text) => {
      expect(await found('npm run lint passes', { manifest: text })).toEqual([]);
    },
  );

  it('is given the benefit of the doubt where there is too much to look through', async () => {
    const directory = folder({ 'a/b.ts': '', 'a/c.ts': '', 'd.ts': '' });
    const facts = {
      directory,
      texts: ['gone.ts is covered'],
      changes: [],
      ownPaths: [],
      ignored: () => Promise.resolve(new Set<string>()),
    };
    expect(await checkEvidence({ ...facts, mostEntries: 3 })).toEqual([]);
    expect(await checkEvidence({ ...facts, mostEntries: 4 })).toHaveLength(1);
  });
});
