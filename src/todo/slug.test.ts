import { expect, it } from 'vitest';
import { slugOf, taskFolder } from './slug.ts';

it.each([
  ['Context refactor', 'context_refactor'],
  ['  Fix: the (old) parser!  ', 'fix_the_old_parser'],
  ["Don't crash", 'dont_crash'],
  ['Größe ändern – déjà vu Ⅳ ﬁn', 'grosse_andern_deja_vu_iv_fin'],
  ['Smørrebrød Łódź', 'smorrebrod_lodz'],
  ['../../etc/passwd', 'etc_passwd'],
  ['日本語', 'task'],
  ['', 'task'],
  ['a'.repeat(50), 'a'.repeat(40)],
  ['one two three four five six seven eight nine', 'one_two_three_four_five_six_seven_eight'],
  [`short ${'long'.repeat(20)}`, 'short_longlonglonglonglonglonglonglonglo'],
])('%j is %s', (title, slug) => {
  expect(slugOf(title)).toBe(slug);
  expect(slugOf(slug)).toBe(slug);
});

it('is part of the name of the folder', () => {
  expect(taskFolder(244, 'context_refactor')).toBe('244_context_refactor');
});
