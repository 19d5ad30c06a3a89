import { mkdtempSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { missingPart } from './missing-part.ts';

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
