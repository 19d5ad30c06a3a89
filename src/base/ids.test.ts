import { describe, expect, it } from 'vitest';
import { delegationIdSchema, newDelegationId } from './ids.ts';

const newYear = new Date('2026-01-01T00:00:00.999Z');

describe('newDelegationId', () => {
  it.each([
    ['the lowest', () => 0, 'sess_1767225600_000000'],
    ['the highest', () => 1 - Number.EPSILON / 2, 'sess_1767225600_zzzzzz'],
    ['the middle', () => 0.5, 'sess_1767225600_iiiiii'],
  ])('%s random numbers', (_what, random, id) => {
    expect(newDelegationId(newYear, random)).toBe(id);
  });

  it('asks for a new random number for each character', () => {
    const numbers = [0, 0.1, 0.2, 0.3, 0.4, 0.5];
    expect(newDelegationId(newYear, () => numbers.shift() ?? 0)).toBe('sess_1767225600_037aei');
  });

  it('makes an id that is accepted when read', () => {
    expect(delegationIdSchema.safeParse(newDelegationId(new Date(), Math.random)).success).toBe(true);
  });
});

describe('delegationIdSchema', () => {
  it.each(['sess_1767225600_k3x9q1', 'sess_20260101_abc123', 'sess_202601011200_000000'])('accepts %s', (id) => {
    expect(delegationIdSchema.parse(id)).toBe(id);
  });

  it.each([
    '',
    'sess_1767225600_k3x9q',
    'sess_1767225600_k3x9q12',
    'sess_1767225600_K3X9Q1',
    'sess_1767225_k3x9q1',
    'sess_1767225600123_k3x9q1',
    'sess_1767225600-k3x9q1',
    'session_1767225600_k3x9q1',
    ' sess_1767225600_k3x9q1',
    'sess_1767225600_k3x9q1\n',
    'sess_١٧٦٧٢٢٥٦٠٠_k3x9q1',
    1767225600,
    null,
  ])('refuses %j', (id) => {
    expect(delegationIdSchema.safeParse(id).success).toBe(false);
  });
});
