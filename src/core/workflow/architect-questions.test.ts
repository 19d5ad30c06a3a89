import { expect, it } from 'vitest';
import { questionsIn } from './architect-questions.ts';

it.each<[string, string, string[]]>([
  ['a list', '# Questions\n\n- Which page?\n* Which colours?\n', ['Which page?', 'Which colours?']],
  ['a numbered one', '1. Which page?\r\n2) Which colours?\r\n', ['Which page?', 'Which colours?']],
  ['boxes', '- [ ] Which page?\n', ['Which page?']],
  ['no list', 'Which page do you mean?\n', []],
  ['items without words', '- \n- ...\n---\n', []],
])('reads %s', (_, text, questions) => {
  expect(questionsIn(text)).toEqual(questions);
});

it('removes terminal control characters and secrets', () => {
  const secret = `sk-ant-api03-${'aB3dE5gH7j'.repeat(6)}`;
  const [question = ''] = questionsIn(`- Is \u001b[31mthis\u202e it: ${secret}?`);
  expect(question).not.toContain('\u001b');
  expect(question).not.toContain('\u202e');
  expect(question).not.toContain(secret.slice(14, 30));
});

it('limits their number and length', () => {
  expect(questionsIn('- why?\n'.repeat(500))).toHaveLength(10);
  expect(questionsIn(`- ${'why '.repeat(5000)}`)[0]?.length).toBe(400);
});
