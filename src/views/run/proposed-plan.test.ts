import { expect, it } from 'vitest';
import { risksIn } from './proposed-plan.ts';

it.each<[string, string, string[]]>([
  [
    'a section',
    '# Plan\n\n## Risks\n\n- Old data.\n  - Older data.\n\n## Wave 1\n\n- [ ] 1.1 x\n',
    ['Old data.', 'Older data.'],
  ],
  ['a heading with more in it', '## Main risks and dangers\nOld data.\n', ['Old data.']],
  ['none', '# Plan\n\n## Wave 1: no risks here, said 1.1\n', []],
])('reads the risks of %s', (_, text, risks) => {
  expect(risksIn(text)).toEqual(risks);
});

it('shows few of them, each on a line', () => {
  expect(risksIn(`## Risks\n${'- a\u001b[2J risk\n'.repeat(100)}`)).toEqual(Array(20).fill('a [2J risk'));
});
