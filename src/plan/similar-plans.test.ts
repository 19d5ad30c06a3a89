import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { similarPlans, type Wanted } from './similar-plans.ts';

interface Short {
  readonly file: string;
  readonly title?: string;
  readonly goal?: string;
}

const planOf = ({ file, title = '', goal = title }: Short): { planFile: string; title: string; goal: string } => ({
  planFile: file,
  title,
  goal,
});
const wantedOf = ({ file, title = '', goal = title }: Short): Wanted => ({ stem: file, title, goal });
const isOffered = (wanted: Wanted, plan: Short): boolean => similarPlans(wanted, [planOf(plan)]).length === 1;

describe('a new plan and one that is there', () => {
  it.each<[Short, Short]>([
    [{ file: 'header-fixes' }, { file: 'header-check.md' }],
    [{ file: 'header-fixes' }, { file: '.divisi/plans/headers-paused.md' }],
    [{ file: 'cart-totals' }, { file: 'cart-icons.md' }],
    [{ file: 'dark-mode' }, { file: 'plans/add-dark-mode-to-the-settings-inprogress.md' }],
    [
      { file: 'a', title: 'Round totals to cents' },
      { file: 'b.md', title: 'Rounding: totals in cents everywhere' },
    ],
    [
      { file: 'a', title: 'Checkout', goal: 'Customers can pay with a card or by invoice.' },
      { file: 'b.md', title: 'Payments', goal: 'Let customers pay by card, by invoice or in instalments.' },
    ],
    [
      { file: 'a', title: 'Größe der Schaltflächen' },
      { file: 'b.md', title: 'Grosse Schaltflachen' },
    ],
    [
      { file: 'a', title: 'Тёмная тема для настроек' },
      { file: 'b.md', title: 'Темная тема' },
    ],
    [
      { file: 'auth', title: 'Log in with a passkey' },
      { file: 'auth-2.md', title: 'Sessions' },
    ],
  ])('%o is like %o', (wanted, plan) => {
    expect(isOffered(wantedOf(wanted), plan)).toBe(true);
    expect(isOffered(wantedOf({ ...plan, file: plan.file.replace('.md', '') }), wanted)).toBe(true);
  });

  it.each<[Short, Short]>([
    [{ file: 'header-fixes' }, { file: 'login-fixes.md' }],
    [
      { file: 'header-fixes' },
      { file: '.divisi/plans/rework-the-page-so-that-header-menu-and-footer-agree-paused.md' },
    ],
    [{ file: 'plan' }, { file: 'docs/plan.md' }],
    [
      { file: 'a', title: 'Carts', goal: 'Customers keep their cart for a month on any machine they own.' },
      { file: 'b.md', title: 'Mail', goal: 'Customers get one letter a month with news about their orders.' },
    ],
    [{ file: 'wave-1' }, { file: 'wave-2.md' }],
    [
      { file: 'a', title: 'Faster search', goal: 'Search answers within 50 ms for a million rows.' },
      { file: 'b.md', title: 'Faster builds', goal: 'The build takes less than a minute on every machine.' },
    ],
    [
      { file: 'a', title: 'Update the dependencies' },
      { file: 'b.md', title: 'Update the documentation' },
    ],
    [
      { file: 'a', title: 'Sample', goal: 'To see it run.' },
      { file: 'b.md', title: 'Other', goal: 'To see it run.' },
    ],
    [
      { file: '', title: '', goal: '' },
      { file: '.md', title: '', goal: '' },
    ],
  ])('%o is not like %o', (wanted, plan) => {
    expect(isOffered(wantedOf(wanted), plan)).toBe(false);
    expect(isOffered(wantedOf({ ...plan, file: plan.file.replace('.md', '') }), wanted)).toBe(false);
  });
});

describe('a description', () => {
  const plan = { file: 'x.md', title: 'Dark mode', goal: 'Users choose between light and dark colours.' };

  it.each(['add a dark mode to the settings page', 'let users choose light or dark colours'])('%s', (description) => {
    expect(isOffered({ description }, plan)).toBe(true);
  });

  it.each(['fix the login page', 'make the dark corners of the parser readable', ''])('not %s', (description) => {
    expect(isOffered({ description }, plan)).toBe(false);
  });
});

it('the most alike comes first', () => {
  const plans = ['header-menu-colours', 'header-menu', 'footer', 'header'].map((file) => planOf({ file }));
  expect(similarPlans(wantedOf({ file: 'header-menu-icons' }), plans).map(({ planFile }) => planFile)).toEqual([
    'header-menu',
    'header',
    'header-menu-colours',
  ]);
});

it('a plan with a telling word is like itself, whatever it says', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), fc.string({ maxLength: 50 }), (goal, title) => {
      expect(
        isOffered(wantedOf({ file: 'parser-limits', title, goal }), { file: 'parser-limits.md', title, goal }),
      ).toBe(true);
    }),
  );
});
