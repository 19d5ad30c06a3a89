import { describe, expect, it } from 'vitest';
import { planFileName, planStates, stemOf, withState } from './plan-name.ts';

describe('planFileName', () => {
  it('takes words from the title, then the goal, then the rest', () => {
    const named = { title: 'Dark mode', goal: 'Users can switch' };
    expect(planFileName(named, 'inprogress', ['Add tokens', 'Build the store', 'Write the docs'])).toBe(
      'dark-mode-users-can-switch-add-tokens-build-the-store-inprogress.md',
    );
    expect(planFileName({ title: 'a b c d e f g h i j', goal: 'not this' }, 'paused')).toBe(
      'a-b-c-d-e-f-g-h-i-j-paused.md',
    );
  });

  it('has at most twenty words and 180 bytes, in ASCII', () => {
    const many = planFileName({ title: 'wort '.repeat(50), goal: '' }, 'failed');
    expect(many.split('-')).toHaveLength(21);
    const long = planFileName(
      { title: 'Überprüfungsgenauigkeitsanforderungsdokument '.repeat(30), goal: '' },
      'cancelled',
    );
    expect(long).toMatch(/^uberprufungsgenauigkeitsanforderungsdoku-/);
    expect(long.length).toBeLessThanOrEqual(180 + '-cancelled.md'.length);
  });

  it('folds, drops what has no letters, and is never empty', () => {
    expect(planFileName({ title: 'Größe: don’t ﬁx ../../etc', goal: '' }, 'completed')).toBe(
      'grosse-dont-fix-etc-completed.md',
    );
    expect(planFileName({ title: '計画', goal: '🎻' }, 'paused')).toBe('plan-paused.md');
  });
});

describe('withState', () => {
  it.each(planStates)('replaces %s', (state) => {
    expect(withState(`a-b-${state}.md`, 'failed')).toBe('a-b-failed.md');
  });

  it('leaves names without a state to their owners', () => {
    expect(withState('release-plan.md', 'failed')).toBeNull();
    expect(withState('a-completed-thing.md', 'failed')).toBeNull();
    expect(withState('a-completed.txt', 'failed')).toBeNull();
  });

  it('is what the stem leaves out', () => {
    expect(stemOf('x/y\\dark-mode-paused.md')).toBe('dark-mode');
  });
});
