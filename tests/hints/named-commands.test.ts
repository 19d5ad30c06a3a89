/** Every command line that the sources, the documents and the plugin name exists: its command, its options, and as many arguments as it has. */
import { existsSync, readFileSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { defineAll } from '../../src/cli/program.ts';
import { repository } from '../support/repository.ts';
import { commandsIn } from './commands-in.ts';

const program = new Command('divisi');
defineAll(program);

/** How the server signs what it records; nobody types it. */
const isLabel = (words: readonly string[]): boolean => words[0] === 'mcp' && words.length > 1;

/** What is wrong with a command line; undefined where it can be typed. */
function faultIn(words: readonly string[]): string | undefined {
  let [command, at]: [Command, number] = [program, 0];
  for (; at < words.length; at += 1) {
    const found = command.commands.find((one) => one.name() === words[at]);
    if (found === undefined) break;
    command = found;
  }
  if (isLabel(words)) return undefined;
  if (command === program) return words[0]?.startsWith('-') === true ? undefined : `no command ${words[0]}`;
  let given = 0;
  for (; at < words.length; at += 1) {
    const word = (words[at] ?? '').replaceAll(/^\[|\]$/g, '');
    if (word === '--') return undefined;
    const option = command.options.find(({ long }) => long === word.split('=')[0]);
    if (word === '--help') continue;
    if (word.startsWith('--') && option === undefined) return `${command.name()} has no option ${word}`;
    if (option === undefined) given += word === '…' ? 0 : 1;
    else if (option.required && !word.includes('=')) at += 1;
  }
  const { registeredArguments: own } = command;
  if (command.commands.length > 0 && given > 0) return `no command ${words.join(' ')}`;
  return given > own.length && own.at(-1)?.variadic !== true
    ? `${command.name()} takes ${own.length} arguments`
    : undefined;
}

/** As a reader sees it: template parts are one word, and an escaped backtick is a backtick. */
const shown = (source: string): string => source.replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, 'X').replaceAll('\\`', '`');

const filesIn = (...patterns: string[]): string[] =>
  patterns.flatMap((pattern) => globSync(pattern, { cwd: repository })).filter((file) => !file.endsWith('.test.ts'));

const textOf = (file: string): string => shown(readFileSync(join(repository, file), 'utf8'));

const files = filesIn('src/**/*.ts', 'docs/**/*.md', 'plugin/**/*.md', 'examples/**/*.md', '*.md');

describe('command lines that we name', () => {
  it('can be typed', () => {
    const faults = files.flatMap((file) =>
      commandsIn(textOf(file)).flatMap((words) => {
        const fault = faultIn(words);
        return fault === undefined ? [] : [`${file}: divisi ${words.join(' ')}: ${fault}`];
      }),
    );
    expect(faults).toEqual([]);
  });

  it('name commands that the plugin has', () => {
    const isThere = (name: string): boolean => existsSync(join(repository, `plugin/commands/${name}.md`));
    const missing = files.flatMap((file) =>
      [...textOf(file).matchAll(/\/divisi:([a-z]+)/g)].flatMap(([all, name = '']) =>
        isThere(name) ? [] : [`${file}: ${all}`],
      ),
    );
    expect(missing).toEqual([]);
  });

  it.each(['merge --force', 'unite', 'status run_1 run_2', 'task remove 12'])('would find: divisi %s', (line) => {
    expect(faultIn(line.split(' '))).toBeDefined();
  });
});
