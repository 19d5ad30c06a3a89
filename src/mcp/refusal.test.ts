import { expect, it } from 'vitest';
import { divisiError } from '../base/error.ts';
import { errorBudget, toolError } from '../views/brief/tool-error.ts';
import { refusalOf, refusalSchema } from './refusal.ts';

const error = divisiError('DRIVER_UNKNOWN', {
  message: 'unknown driver codec',
  expected: 'one of claude, codex, gemini',
  got: 'codec',
  next: 'Name one of them.',
});

it('keeps what another process expected and got', () => {
  const said = refusalSchema.parse(JSON.parse(JSON.stringify({ ok: false, error })));
  expect(refusalOf(said).toJSON()).toEqual(error.toJSON());
});

it('says what was expected, within the budget', () => {
  expect(toolError(error)).toBe(
    'DRIVER_UNKNOWN: unknown driver codec\nexpected: one of claude, codex, gemini\nnext: Name one of them.',
  );
  const long = divisiError('USAGE', { message: 'm'.repeat(900), expected: 'e'.repeat(900), next: 'n'.repeat(900) });
  expect(toolError(long).length).toBeLessThanOrEqual(errorBudget);
  expect(toolError(long)).toMatch(/^USAGE: m{20,}.*\nexpected: e{20,}.*\nnext: n{20,}/);
});
