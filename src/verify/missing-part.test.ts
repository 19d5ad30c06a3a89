import { mkdtempSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { missingFiles, missingPart } from './missing-part.ts';

const folder = mkdtempSync(join(tmpdir(), 'divisi-room-'));
mkdirSync(join(folder, 'app'));
writeFileSync(join(folder, 'prices.py'), '');

const partOf = (argv: string, end: string, output = ''): string | undefined =>
  missingPart({ argv: argv.split(' '), end, output, folder });

it.each([
  ['a program', 'mocha --all', 'could not start: mocha was not found on the PATH', '', 'mocha'],
  ['a program of a script', 'npm test', 'exit code 127', '> mocha\n\nsh: 1: mocha: not found\n', 'mocha'],
  ['an interpreter elsewhere', 'sh x.sh', 'exit code 126', '/opt/none/python: Permission denied', '/opt/none/python'],
  ['a package of node', 'node a.js', 'exit code 1', "Error: Cannot find module 'express'\nRequire stack:", 'express'],
  [
    'a package of node, imported',
    'node --test',
    'exit code 1',
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find package '@scope/one' imported from /room/a.js\nℹ pass 0",
    '@scope/one',
  ],
  ['a package of python', 'pytest', 'exit code 2', "E   ModuleNotFoundError: No module named 'flask'", 'flask'],
  ['a module of python', 'python3 -m pytest', 'exit code 1', '/usr/bin/python3: No module named pytest', 'pytest'],
  ['a crate', 'cargo test', 'exit code 101', "error[E0463]: can't find crate for `serde`", 'serde'],
  [
    'a package of go',
    'go test ./...',
    'exit code 1',
    'a.go:3:8: no required module provides package x.org/y; to add it',
    'x.org/y',
  ],
  [
    'a package of a workspace that is not built',
    'pnpm vitest run',
    'exit code 1',
    `Error [ERR_MODULE_NOT_FOUND]: Cannot find module '${folder}/node_modules/.pnpm/vitest@4/node_modules/vite/dist/node/index.js' imported from ${folder}/x.js`,
    'node_modules/vite/dist/node/index.js',
  ],
  [
    'an entry that is not built',
    'vitest',
    'exit code 1',
    'Error: Failed to resolve entry for package "own-lib". The',
    'own-lib',
  ],
  [
    'a program of a script, with pnpm',
    'pnpm test',
    'exit code 1',
    '> vitest --run\n\nsh: 1: vitest: not found\n ELIFECYCLE  Test failed. See above for more details.',
    'vitest',
  ],
  ['a program, with yarn', 'yarn ava', 'exit code 1', 'yarn run v1.22.22\nerror Command "ava" not found.', 'ava'],
  [
    'a program, with uv',
    'uv run pytest',
    'exit code 2',
    'error: Failed to spawn: `pytest`\n  Caused by: No such',
    'pytest',
  ],
  [
    'a program, with make',
    'make',
    'exit code 2',
    'shellcheck\nmake: shellcheck: No such file or directory\nmake: *** [Makefile:2: all] Error 127',
    'shellcheck',
  ],
])('finds %s', (_, argv, end, output, part) => {
  expect(partOf(argv, end, output)).toBe(part);
});

it.each([
  ['a test that fails', 'npm test', 'exit code 1', 'AssertionError: 1 is not 2'],
  [
    'a script of the project that is not there yet',
    './tools/new.sh',
    'could not start: ./tools/new.sh does not exist',
    '',
  ],
  ['a script that a shell does not find', 'sh -c x', 'exit code 127', 'sh: 1: ./tools/new.sh: not found'],
  [
    'a file of the command itself',
    'node new.test.js',
    'exit code 1',
    `Error: Cannot find module '${folder}/new.test.js'`,
  ],
  ['a script that pnpm does not find', 'pnpm test', 'exit code 1', 'sh: 1: ./tools/new.sh: not found\n ELIFECYCLE'],
  ['a file that a test does not find', 'node a.js', 'exit code 1', 'cat: data.csv: No such file or directory'],
  ['a file of the project', 'node a.js', 'exit code 1', "Error: Cannot find module './new.js'"],
  ['an alias of the project', 'vitest', 'exit code 1', 'Failed to resolve import "@/new" from "a.ts"'],
  ['a module below a folder of the project', 'pytest', 'exit code 1', "ModuleNotFoundError: No module named 'app.new'"],
  ['a module of the project', 'pytest', 'exit code 1', "ModuleNotFoundError: No module named 'prices.new'"],
  ['tests that have run', 'node --test', 'exit code 1', "✔ adds (1ms)\nError: Cannot find module 'express'"],
  ['tests that have passed', 'pytest', 'exit code 1', "No module named 'flask'\n1 failed, 3 passed in 0.1s"],
  ['a command that takes too long', 'npm test', 'timed out after 600 s', "Cannot find module 'express'"],
])('finds nothing in %s', (_, argv, end, output) => {
  expect(partOf(argv, end, output)).toBeUndefined();
});

it.each([
  ['a file that is imported', `Cannot find module '${folder}/dist/a.js' imported from ${folder}/test/a.js`],
  ['a file that is required', `Error: Cannot find module '../dist/a.js'\nRequire stack:\n- ${folder}/test/a.js`],
  ['a file that jest looks for', "    Cannot find module '../dist/a.js' from 'test/a.test.js'"],
  ['a file that vite looks for', 'Error: Failed to resolve import "../dist/a.js" from "test/a.test.ts". Does the file'],
])('names %s', (_, output) => {
  expect(missingFiles({ end: 'exit code 1', output, folder })).toEqual(['dist/a.js']);
});

it('names no file outside the room, and none once a test has run', () => {
  const outside = "Cannot find module '/opt/dist/a.js' imported from /opt/b.js";
  const run = `✔ adds (1ms)\nCannot find module '${folder}/dist/a.js' imported from ${folder}/b.js`;
  const found = [outside, run].map((output) => missingFiles({ end: 'exit code 1', output, folder }));
  expect(found).toEqual([[], []]);
});
