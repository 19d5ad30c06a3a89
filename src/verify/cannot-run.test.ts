import { expect, it } from 'vitest';
import type { CommandRun, WorkFinding } from '../core/event/verification.ts';
import type { AcceptCommand } from '../core/decide/accept-commands.ts';
import type { BaseCheck } from '../core/event/base-check.ts';
import { whyChecksCannotRun } from './cannot-run.ts';

const ran = (end: string, tail?: string): CommandRun => ({
  argv: ['npm', 'test'],
  from: 'plan',
  ok: end === 'exit code 0',
  end,
  milliseconds: 1,
  ...(tail === undefined ? {} : { tail }),
});
const found = (kind: WorkFinding['kind'], rejects = true): WorkFinding => ({ kind, rejects, fact: '', paths: [] });
const failed = [found('acceptance-failed')];
const changes = [{ change: 'edited' }] as const;

it.each([
  ['exit code 127', 'sh: 1: mocha: not found'],
  ['exit code 126', 'sh: 1: ./check.sh: Permission denied'],
  ['could not start: npm was not found', undefined],
])('%s says nothing about the work', (end, tail) => {
  const why = whyChecksCannotRun({ commands: [ran(end, tail)], findings: failed, changes });
  expect(why).toMatch(/^`npm test` cannot run in a room \(/);
  expect(why).toContain(tail ?? end);
});

it.each<[string, Parameters<typeof whyChecksCannotRun>[0]]>([
  ['that passes', { commands: [ran('exit code 0')], findings: [], changes }],
  ['that fails', { commands: [ran('exit code 1')], findings: failed, changes }],
  ['beside one that fails', { commands: [ran('exit code 127'), ran('exit code 1')], findings: failed, changes }],
  [
    'of work that deletes files',
    { commands: [ran('exit code 127')], findings: failed, changes: [{ change: 'deleted' }] },
  ],
  [
    'of work that changes the command',
    { commands: [ran('exit code 127')], findings: [...failed, found('command-changed', false)], changes },
  ],
  [
    'of work that is rejected anyway',
    { commands: [ran('exit code 127')], findings: [...failed, found('outside-scope')], changes },
  ],
])('a check %s is judged as always', (_, judged) => {
  expect(whyChecksCannotRun(judged)).toBeUndefined();
});

const argv = ['npm', 'test'];
const atBase = (result: BaseCheck['result']): AcceptCommand => {
  return { argv, from: 'plan', base: { argv, from: 'plan', result, end: 'exit code 1', milliseconds: 1 } };
};
const missing = new Map([[JSON.stringify(argv), 'mocha']]);
const cannotRun = (more: Partial<Parameters<typeof whyChecksCannotRun>[0]>): string | undefined =>
  whyChecksCannotRun({
    commands: [ran('exit code 127')],
    findings: failed,
    changes,
    checked: [atBase('green')],
    ...more,
  });

it('what the base misses too is a fact, whatever the work deletes', () => {
  const deleted = [{ change: 'deleted' }] as const;
  expect(cannotRun({ checked: [atBase('environment')], missing, changes: deleted })).toBe(
    '`npm test` cannot run in a room (exit code 127: mocha is missing); install it, or let workspace.setup in the config install or build it, then `divisi update`',
  );
});

it('what the base does not miss is the work’s fault', () => {
  expect(cannotRun({})).toBeUndefined();
  expect(cannotRun({ checked: [atBase('environment')] })).toBeUndefined();
});

it('what the task was to make is its fault', () => {
  const checked = [atBase('environment')];
  expect(cannotRun({ checked, missing, scope: ['src/mocha.py'] })).toBeUndefined();
  expect(cannotRun({ checked, missing, scope: ['src/mocha'] })).toBeUndefined();
  expect(cannotRun({ checked, missing, scope: ['src/mo'] })).toBeDefined();
});

it('is guessed where nothing is known about the base', () => {
  expect(cannotRun({ checked: [atBase('unknown')] })).toBeDefined();
});
