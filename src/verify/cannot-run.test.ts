import { expect, it } from 'vitest';
import type { CommandRun, WorkFinding } from '../core/event/verification.ts';
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
