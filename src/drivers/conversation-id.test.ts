import { expect, it } from 'vitest';
import { isConversationId } from './conversation-id.ts';

it.each(['0198f3a2-7c1e-7d53-b0a4-5d1e2f3a4b5c', 'ses_5f2a9QpXz', 'c1', '20261116_4', 'a:b.c', 'x'.repeat(200)])(
  'takes %s',
  (id) => {
    expect(isConversationId(id)).toBe(true);
  },
);

it.each([
  '',
  '-',
  '--dangerously-bypass-approvals-and-sandbox',
  '.hidden',
  '../other',
  'a/b',
  'a b',
  'a\n',
  'a\u0000',
  'ü',
  '$(id)',
  'x'.repeat(201),
])('refuses %j', (id) => {
  expect(isConversationId(id)).toBe(false);
});
