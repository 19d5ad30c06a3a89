import { expect, it } from 'vitest';
import { canAsk, isCancelledByPerson } from './caller.ts';

const aborted = (reason?: unknown): AbortSignal => AbortSignal.abort(reason);

it.each([
  ['not cancelled', new AbortController().signal, false],
  ['a person, without words', aborted(), true],
  ['a person, with words', aborted('AbortError: user pressed Esc'), true],
  ['the connection', aborted(new Error('Connection closed')), false],
  ['a client without patience', aborted('SdkError: Request timed out'), false],
  ['another one', aborted('McpError: MCP error -32001: timeout'), false],
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
