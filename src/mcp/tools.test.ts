import { expect, it } from 'vitest';
import { tools } from './tools.ts';

it('all definitions together are small enough to stay in every conversation', () => {
  expect(JSON.stringify(tools).length).toBeLessThanOrEqual(3000);
  const [always = { name: '' }, ...others] = tools.filter(({ _meta }) => _meta !== undefined);
  expect([always.name, others]).toEqual(['run', []]);
  // What a conversation pays that never uses Tutti.
  expect(JSON.stringify(always).length).toBeLessThanOrEqual(900);
});

it('their names and inputs are what hooks and people write', () => {
  expect(
    Object.fromEntries(tools.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {})])),
  ).toEqual({
    run: ['plan', 'resume', 'mode', 'here'],
    status: ['run'],
    report: ['task', 'section', 'run'],
    answer: ['approve', 'checkpoint', 'note', 'run'],
    delegate: ['task', 'agent', 'tier', 'scope'],
  });
});
