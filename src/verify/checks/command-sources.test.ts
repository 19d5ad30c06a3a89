import { expect, it } from 'vitest';
import { temporaryFolders } from '../../../tests/support/temporary-folder.ts';
import { checkCommandSources } from './command-sources.ts';

const folder = temporaryFolders();
const before = { test: 'vitest', lint: 'oxlint', 'test:unit': 'vitest unit' };
const manifest = (scripts: Readonly<Record<string, string>>): string => JSON.stringify({ scripts, version: '1' });

interface Given {
  readonly command: string;
  readonly changed?: readonly string[];
  /** Of `package.json`, now. */
  readonly scripts?: Readonly<Record<string, string>>;
}

async function found({ command, changed = [], scripts }: Given): Promise<string[]> {
  const directory = folder(scripts === undefined ? {} : { 'package.json': manifest(scripts) });
  const paths = [...changed, ...(scripts === undefined ? [] : ['package.json'])];
  const findings = await checkCommandSources({
    directory,
    changes: paths.map((path) => ({ path, change: 'edited', mode: '100644' })),
    commands: [{ argv: command.split(' ') }],
    before: () => Promise.resolve(manifest(before)),
  });
  return findings.flatMap((one) => one.paths);
}

it.each<[command: string, changed: string]>([
  ['sh check.sh', 'check.sh'],
  ['./check.sh', 'check.sh'],
  ['tools/check --all', 'tools/check'],
  ['node ./tools/check.mjs', 'tools/check.mjs'],
  ['node --import tsx tools/check.ts', 'tools/check.ts'],
  ['/usr/bin/env python3.12 check.py', 'check.py'],
  ['sh -c node tools/check.mjs && true', 'tools/check.mjs'],
  ['make test', 'Makefile'],
  ['make test', 'build/rules.mk'],
  ['make -f other test', 'other'],
  ['just test', '.justfile'],
  ['task test', 'Taskfile.yml'],
  ['npm test', '.npmrc'],
])('%s runs what the work changes: %s', async (command, changed) => {
  expect(await found({ command, changed: ['src/a.ts', changed] })).toEqual([changed]);
});

it.each<[command: string, changed: string]>([
  ['npm test', 'src/a.ts'],
  ['npx vitest run src/a.ts', 'src/a.ts'],
  ['node --test src/a.test.js', 'src/a.test.js'],
  ['eslint src/a.ts', 'src/a.ts'],
  ['cargo test', 'Makefile'],
  ['sh check.sh', 'other/check.sh'],
  ['sh check.sh', ':/check.sh'],
])('%s runs something else: %s', async (command, changed) => {
  expect(await found({ command, changed: [changed] })).toEqual([]);
});

it.each<[command: string, scripts: Readonly<Record<string, string>>, isTold: boolean]>([
  ['npm test', { ...before, test: 'exit 0' }, true],
  ['npm t', { test: 'exit 0' }, true],
  // Others may run it.
  ['npm test', { ...before, 'test:unit': 'exit 0' }, true],
  ['npm test', { ...before, pretest: 'rm -r tests' }, true],
  ['npm test', { ...before, 'posttest:unit': 'exit 0' }, true],
  ['pnpm run check', { ...before, check: 'exit 0' }, true],
  ['yarn check', { ...before, check: 'exit 0' }, true],
  ['npm test', before, false],
  ['npm test', { ...before, build: 'tsc' }, false],
  ['npm test', { ...before, prebuild: 'tsc' }, false],
  ['cargo test', { test: 'exit 0' }, false],
])('%s with the scripts %j: %j', async (command, scripts, isTold) => {
  expect(await found({ command, scripts })).toEqual(isTold ? ['package.json'] : []);
});

it('says which command, and what of it', async () => {
  const directory = folder({ 'package.json': manifest({ ...before, test: 'exit 0' }) });
  const findings = await checkCommandSources({
    directory,
    changes: ['package.json', 'check.sh'].map((path) => ({ path, change: 'edited', mode: '100644' })),
    commands: [{ argv: ['npm', 'test'] }, { argv: ['sh', 'check.sh'] }, { argv: ['cargo', 'test'] }],
    before: () => Promise.resolve(manifest(before)),
  });
  expect(findings).toEqual([
    {
      kind: 'command-changed',
      rejects: false,
      fact: 'the work changes files that are run by npm test (test in package.json), sh check.sh (check.sh)',
      paths: ['package.json', 'check.sh'],
    },
  ]);
});
