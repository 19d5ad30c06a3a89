import { expect, it } from 'vitest';
import { checkAtBase } from './check-at-base.ts';

const argv = ['npm', 'test'];

it.each([
  ['fails', 'exit code 1', 2],
  ['hangs', 'timed out after 600 s', 1],
])('a command of the config that %s (%s) is run this often: %d', async (_, end, times) => {
  let runs = 0;
  const check = await checkAtBase({ argv, from: 'config' }, () => {
    runs += 1;
    return Promise.resolve({ ran: { argv, ok: false, end, milliseconds: 1 }, errors: [], outside: [] });
  });
  expect([check.result, check.end, runs]).toEqual(['red', end, times]);
});
