import { describe, expect, it } from 'vitest';
import { parseCommand } from './parse-command.ts';
import { leastTime } from '../../../tests/support/processor-time.ts';

function words(given: string): readonly string[] {
  const read = parseCommand(given);
  return 'words' in read ? read.words : [];
}

describe('a command about a backlog task', () => {
  it.each(['research', 'plan', 'implement', 'revise', 'review'])('%s', (command) => {
    expect(parseCommand(`${command} 12`)).toEqual({
      kind: 'command',
      command,
      number: 12,
      text: '',
      words: [command, '--json', '12'],
    });
  });

  it('passes the prompt as one argument that is never read as an option', () => {
    expect(words('research 12 --force; rm -rf / $(x)\nand more ')).toEqual([
      'research',
      '--json',
      '12',
      '--',
      '--force; rm -rf / $(x)\nand more',
    ]);
  });

  it('may be written as the person types it', () => {
    expect(words(' /divisi:research #12  look ')).toEqual(['research', '--json', '12', '--', 'look']);
  });
});

it('a description goes to the architect, and features are features', () => {
  expect(parseCommand('plan a dark mode')).toEqual({ kind: 'architect', text: 'a dark mode' });
  expect(words('feature auth, payments')).toEqual(['feature', '--json', '--', 'auth, payments']);
  expect(words('feature 1. auth\n2. payments')).toEqual(['feature', '--json', '--', '1. auth\n2. payments']);
  expect(words('plan 12 monkeys')).toEqual(['plan', '--json', '12', '--', 'monkeys']);
});

it.each([
  ['todo', { action: 'archive' }],
  ['task', { action: 'list' }],
  ['task list not started', { action: 'list', status: 'not started' }],
  ['task add --all $(x)', { action: 'add', title: '--all $(x)' }],
  ['task show #12', { action: 'show', number: 12 }],
  ['task block 12 no access', { action: 'block', number: 12, reason: 'no access' }],
  ['task abandon 12', { action: 'abandon', number: 12 }],
  ['task expand 12 --one; two', { action: 'expand', number: 12, parts: ['--one', 'two'] }],
])('%s is about the task list', (given, call) => {
  expect(parseCommand(given)).toEqual({ kind: 'task-list', call });
});

it.each([
  '',
  'research',
  'research twelve',
  'research 12x',
  'research -12',
  'research 0',
  'research 12345678901',
  'plan',
  'plan 0',
  'feature',
  'run plan.md',
  'cancel 12',
  '--version',
  'research\u0000 12',
  'task add',
  'task remove 12',
  'task show',
  'task block',
  'task block 12',
  'task expand 12',
  'todo --dry-run',
])('refuses %j', (given) => {
  expect(() => parseCommand(given)).toThrow(expect.objectContaining({ code: 'USAGE' }));
});

it('takes as long as the text is', () => {
  const work = (): void => {
    expect(() => parseCommand(' '.repeat(20_000))).toThrow('not a command');
    expect(() => parseCommand(`research ${'1'.repeat(20_000)}`)).toThrow('not a command');
    expect(words(`research 1 ${' \n'.repeat(10_000)}x`)).toHaveLength(5);
  };
  expect(leastTime(work, 500)).toBeLessThan(500);
});
