import { describe, expect, it } from 'vitest';
import { limits } from '../field.ts';
import { endsOf } from './salvage.ts';

describe('endsOf', () => {
  it('never cuts a secret in two', () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${'MIIEpAIBAAKCAQEA'.repeat(200)}\n-----END PRIVATE KEY-----`;
    const { head, tail } = endsOf(`${'a'.repeat(1_000)}${key}${'b'.repeat(100_000)}${key}${'c'.repeat(1_000)}`);
    expect(head).toBe(`${'a'.repeat(1_000)}[redacted:private-key]${'b'.repeat(978)}`);
    expect(tail).toBe(`${'b'.repeat(978)}[redacted:private-key]${'c'.repeat(1_000)}`);
  });

  it('never cuts a character in two', () => {
    const { head, tail } = endsOf(`x${'🎻'.repeat(5_000)}x`);
    expect([head.isWellFormed(), tail.isWellFormed()]).toEqual([true, true]);
  });

  it('does not show the middle twice', () => {
    const text = Array.from({ length: 300 }, (_, at) => `${at} words`).join(' ');
    const { head, tail } = endsOf(text);
    expect(text.length).toBeGreaterThan(limits.excerpt);
    expect(head + tail).toBe(text);
  });
});
