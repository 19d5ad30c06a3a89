import { expect, it } from 'vitest';
import { advance, createdRun, happen, planOf } from '../../../tests/support/state-of.ts';
import { commandLines, commandReports } from './status-commands.ts';

it('names the task of each command, and what the command is for', () => {
  const state = happen(createdRun(planOf([[{ id: '1.1' }]]), 1, true), { kind: 'run.started', command: 'x' });
  const delegation = advance(state).get('1.1') ?? '';
  const notes = [
    { purpose: 'set-up', of: delegation, command: 'npm ci', since: 0 },
    { purpose: 'acceptance', of: delegation, command: 'npm test', since: 1000 },
    { purpose: 'acceptance', of: 'check:wave-1', command: 'npm test', since: 120_000 },
    { purpose: 'acceptance', of: 'again-12-345', command: 'npm test', since: 120_000 },
    { purpose: 'set-up', of: 'set-up', command: 'npm ci', since: 131_000 },
    { purpose: 'canary', of: 'canary', command: 'npm test', since: 131_000 },
    { purpose: 'teardown', of: '1.2', command: 'docker compose down', since: 200_000 },
  ] as const;
  const reports = commandReports(state, notes);
  expect(reports[0]).toEqual({ purpose: 'set-up', task: '1.1', command: 'npm ci', since: 0 });
  expect(reports[2]).toEqual({ purpose: 'acceptance', check: 'wave-1', command: 'npm test', since: 120_000 });
  expect(reports[4]).toEqual({ purpose: 'set-up', command: 'npm ci', since: 131_000 });
  expect(commandLines(reports, 131_000)).toEqual([
    '1.1 setting up: npm ci (2 min 11 s)',
    '1.1 verifying: npm test (2 min 10 s)',
    'wave-1 verifying: npm test (11 s)',
    'divisi verify verifying: npm test (11 s)',
    'setting up: npm ci (0 ms)',
    'canary: npm test (0 ms)',
    '1.2 tearing down: docker compose down (0 ms)',
  ]);
});

it('shows no secret and no control character of a note', () => {
  const state = createdRun(planOf([[{ id: '1.1' }]]), 1, true);
  const secret = `ghp_${'a1'.repeat(18)}`;
  const [line = ''] = commandLines(
    commandReports(state, [{ purpose: 'acceptance', of: 'x\u001B[2J', command: `curl\n${secret}`, since: 0 }]),
    0,
  );
  expect(line).toBe('x [2J verifying: curl [redacted:github] (0 ms)');
});
