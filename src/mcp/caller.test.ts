import { expect, it } from 'vitest';
import { canAsk, isCancelledByPerson, modeFor } from './caller.ts';

const aborted = (reason?: unknown): AbortSignal => AbortSignal.abort(reason);

it.each([
  ['not cancelled', new AbortController().signal, false],
  ['a person in Claude Code', aborted('AbortError: user-cancel'), true],
  ['without words', aborted(), false],
  ['the connection', aborted(new Error('Connection closed')), false],
  ['the time limit of Codex', aborted('MCP response future dropped'), false],
  ['the end of OpenCode', aborted('AbortError: The operation was aborted.'), false],
  ['a client without patience', aborted('SdkError: Request timed out'), false],
])('only a person cancels a call: %s', (_, signal, expected) => {
  expect(isCancelledByPerson(signal)).toBe(expected);
});

it.each([
  [undefined, false],
  [{}, true],
  [{ form: {} }, true],
  [{ form: {}, url: {} }, true],
  [{ url: {} }, false],
])('a client that says %j about questions', (elicitation, expected) => {
  expect(canAsk(elicitation)).toBe(expected);
});

it.each([
  [undefined, 'auto', 'auto'],
  ['plan', undefined, 'plan'],
  ['plan', 'auto', 'plan'],
  ...['default', 'acceptEdits', 'auto', 'bypassPermissions', 'dontAsk'].flatMap((permissionMode) => [
    [permissionMode, undefined, undefined] as const,
    [permissionMode, 'auto', undefined] as const,
    [permissionMode, 'default', 'default'] as const,
    [permissionMode, 'plan', 'plan'] as const,
  ]),
] as const)('in permission mode %s a model that wants %s gets %s', (permissionMode, wanted, expected) => {
  const hookContext = permissionMode === undefined ? {} : { permissionMode };
  expect(modeFor(wanted, { hookContext, canAsk: false })).toBe(expected);
});

it.each([
  [true, 'auto', undefined],
  [true, 'default', 'default'],
  [true, 'plan', 'plan'],
  [false, 'auto', 'auto'],
] as const)('where a person can be asked (%s), a model that wants %s gets %s', (isAttended, wanted, expected) => {
  expect(modeFor(wanted, { hookContext: {}, canAsk: isAttended })).toBe(expected);
});
