import { expect, it } from 'vitest';
import { skippedText } from './waiting-text.ts';

it('names what a task of the plan depends on, and gives a gate’s own words', () => {
  expect(skippedText('1.2', '1.1')).toBe('1.1 did not complete');
  expect(skippedText('wave-1:review', 'superseded by newer work')).toBe('superseded by newer work');
});
