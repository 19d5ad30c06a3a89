import { describe, expect, it } from 'vitest';
import { readFeatures } from './feature-list.ts';

const slugs = (text: string): string[] => readFeatures(text).map(({ slug }) => slug);

describe('readFeatures', () => {
  it.each([
    ['auth, payments, dashboard', ['auth', 'payments', 'dashboard']],
    ['auth, payments, and dashboard', ['auth', 'payments', 'dashboard']],
    ['user log-in, PDF export,', ['user-log-in', 'pdf-export']],
    ['1. Auth\n2. Payments\n10) Dashboard', ['auth', 'payments', 'dashboard']],
    ['# Features\n\n- Auth: by mail\n- [ ] Payments', ['auth', 'payments']],
    ['To build:\n* Auth\n* Auth', ['auth', 'auth-2']],
    ['Add a log-in page, with a link by mail', ['add-a-log-in-page-with-a-link-by-mail']],
    ['A dashboard', ['a-dashboard']],
    ['認証, 支払い', ['feature-1', 'feature-2']],
    ['auth, 支払い, task', ['auth', 'feature-2', 'task']],
  ])('reads %j', (text, expected) => {
    expect(slugs(text)).toEqual(expected);
  });

  it('keeps the lines of an item with it, and takes the title from its first words', () => {
    const text =
      '1. Auth: log in by mail\n   No passwords.\n\n   - links last an hour\n2. **Payments** – cards only.\r\n';
    expect(readFeatures(text)).toEqual([
      { slug: 'auth', title: 'Auth', text: 'Auth: log in by mail\n   No passwords.\n\n   - links last an hour' },
      { slug: 'payments', title: 'Payments', text: '**Payments** – cards only.' },
    ]);
  });

  it('reads a text of several lines as one feature', () => {
    const text = 'People can pay by card.\nRefunds, too, are made there:\n- within a day\n- in full';
    expect(readFeatures(text)).toEqual([{ slug: 'people-can-pay-by-card', title: 'People can pay by card', text }]);
  });

  it.each([
    ['', 'no feature given'],
    ['  \n ', 'no feature given'],
    [Array.from({ length: 21 }, (_, at) => `f${at}`).join(', '), '21 features are too many for one run'],
    ['x'.repeat(4001), `“${'x'.repeat(79)}…” has 4001 characters`],
  ])('refuses %j', (text, message) => {
    expect(() => readFeatures(text)).toThrow(expect.objectContaining({ code: 'USAGE', message }));
  });
});
