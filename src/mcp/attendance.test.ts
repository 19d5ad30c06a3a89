import { expect, it } from 'vitest';
import { formTimes, isUnattended } from './attendance.ts';

const turn = (turn_trigger: string) => ({ 'x-codex-turn-metadata': { turn_trigger } });

it.each([
  ['codex-mcp-client', turn('exec'), {}, true, true],
  ['codex-mcp-client', turn('user'), {}, true, false],
  ['codex-mcp-client', undefined, {}, false, false],
  ['claude-code', {}, { CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' }, true, true],
  ['claude-code', {}, { CLAUDE_CODE_ENTRYPOINT: 'cli' }, false, false],
  ['goose-cli', {}, {}, false, true],
  ['goose-cli', {}, {}, true, false],
  ['copilot-cli', turn('exec'), { CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' }, false, false],
])('%s with %j, %j and a terminal: %s is unattended: %s', (client, meta, environment, terminal, expected) => {
  expect(isUnattended({ client, meta, environment, hasTerminal: () => terminal })).toBe(expected);
});

it('takes a decline that no person can have sent for a form that was closed', () => {
  let now = 5000;
  const times = formTimes(() => now);
  times.shown('a');
  times.shown('c');
  now += 999;
  const replies = { a: { action: 'decline' }, b: { action: 'decline' }, c: { action: 'accept' } };
  expect(times.byPeople(replies)).toEqual({ ...replies, a: { action: 'cancel' } });
  now += 1;
  expect(times.byPeople(replies)).toEqual(replies);
});
