import { expect, it } from 'vitest';
import { tools } from './tools.ts';

it('all definitions together are small enough to stay in every conversation', () => {
  expect(JSON.stringify(tools).length).toBeLessThanOrEqual(2100);
  const loading = tools.filter(({ _meta }) => _meta !== undefined).map(({ name, _meta }) => [name, _meta]);
  expect(Object.fromEntries(loading)).toEqual({
    run: { 'anthropic/alwaysLoad': true },
    delegate: { 'anthropic/alwaysLoad': false },
  });
  // What a conversation pays that never uses Divisi; `delegate` is searched for.
  const paid = tools.filter(({ name }) => name !== 'delegate');
  expect(JSON.stringify(paid).length).toBeLessThanOrEqual(1600);
});

it('their names and inputs are what hooks and people write', () => {
  expect(
    Object.fromEntries(tools.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {})])),
  ).toEqual({
    run: ['plan', 'command', 'resume', 'mode', 'here'],
    status: ['run'],
    report: ['task', 'section', 'run'],
    answer: ['approve', 'checkpoint', 'note', 'run'],
    delegate: ['task', 'agent', 'tier', 'scope'],
  });
});
