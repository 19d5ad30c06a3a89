import { expect, it } from 'vitest';
import type { AcceptCommand } from '../core/decide/accept-commands.ts';
import type { BaseCheck } from '../core/event/base-check.ts';
import { type JudgedCheck, type RanCheck, runCheck } from './run-check.ts';

const argv = ['npm', 'test'];
const base = (more: Partial<BaseCheck>): BaseCheck => {
  return { argv, from: 'config', result: 'red', end: 'exit code 1', milliseconds: 1, ...more };
};
const ended = (code: number, more: Partial<RanCheck> = {}): RanCheck => ({
  ran: { argv, ok: code === 0, end: `exit code ${code}`, milliseconds: 1, output: 'accept-1.txt' },
  errors: [],
  outside: [],
  ...more,
});

/** Ends like this, one run after the other; answers how often it was run. */
async function judge(
  command: Omit<AcceptCommand, 'argv' | 'from'>,
  ...ends: readonly RanCheck[]
): Promise<JudgedCheck & { readonly runs: number }> {
  let runs = 0;
  const judged = await runCheck({ argv, from: 'config', ...command }, (_, isAgain) => {
    expect(isAgain).toBe(runs > 0);
    runs += 1;
    const end = ends[runs - 1];
    return end === undefined ? Promise.reject(new Error('run too often')) : Promise.resolve(end);
  });
  return { ...judged, runs };
}

it('a command that passes is run once', async () => {
  expect(await judge({}, ended(0))).toMatchObject({ runs: 1, ran: { ok: true, from: 'config' }, findings: [] });
});

it('one that fails twice has failed', async () => {
  const judged = await judge({}, ended(1), ended(1));
  expect(judged).toMatchObject({ runs: 2, ran: { ok: false, output: 'accept-1.txt' }, findings: [] });
  expect(judged.ran.note).toBeUndefined();
});

it.each(['timed out after 600 s', 'killed: more than 64 MiB of output'])('one that %s is run once', async (end) => {
  const { ran, ...rest } = ended(1);
  expect(await judge({}, { ...rest, ran: { ...ran, end } })).toMatchObject({ runs: 1, ran: { ok: false, end } });
});

it('one that fails and passes then is flaky', async () => {
  const judged = await judge({}, ended(1), ended(0));
  expect(judged).toMatchObject({ ran: { ok: true, note: 'flaky' }, findings: [{ kind: 'flaky', rejects: false }] });
  expect(judged.findings[0]?.fact).toBe('npm test failed (exit code 1) and passed when it was run once more');
});

it('one that is known to be red fails for a new error only, and only if it comes twice', async () => {
  const known = { isKnownRed: true, base: base({ errors: ['Error: old'] }) } as const;
  const old = await judge(known, ended(1, { errors: ['Error: old'] }));
  expect([old.runs, old.ran.note]).toEqual([1, 'known-red']);
  const anew = ended(1, { errors: ['Error: old', 'Error: new'] });
  const fresh = await judge(known, anew, anew);
  expect([fresh.runs, fresh.ran.ok, fresh.ran.note]).toEqual([2, false, undefined]);
  const flaky = await judge(known, anew, ended(1, { errors: ['Error: old'] }));
  expect([flaky.runs, flaky.ran.note, flaky.findings[0]?.kind]).toEqual([2, 'known-red', 'flaky']);
  expect(flaky.findings[0]?.fact).toContain('failed only as at the base when it was run once more');
  expect((await judge(known, ended(0))).ran.ok).toBe(true);
});

it.each([
  ['Error: old at /room/a.js:3\nError: new', 'Error: new'],
  ['Error: old at /room/a.js:3\nmore', 'Error: new\n…\nmore'],
])('one that is known to be red and fails anew names the new error: %j', async (tail, expected) => {
  const known = { isKnownRed: true, base: base({ errors: ['Error: old at a.js:#'] }) } as const;
  const { ran, ...rest } = ended(1, { errors: ['Error: old at a.js:#', 'Error: new'], directory: '/room' });
  const anew = { ...rest, ran: { ...ran, tail } };
  const judged = await judge(known, anew, anew);
  expect(judged.ran.tail).toBe(expected);
});

it('one that is known to miss something is not asked about again, whatever else it prints', async () => {
  const known = { isKnownRed: true, base: base({ result: 'environment', missing: 'mocha', errors: ['a'] }) } as const;
  const judged = await judge(known, ended(127, { missing: 'mocha', errors: ['b'] }));
  expect([judged.runs, judged.ran.note, judged.missing]).toEqual([1, 'known-red', undefined]);
});

it('one that misses what the base misses too is not run again; what only the work misses is a failure', async () => {
  const missing = { base: base({ result: 'environment', missing: 'mocha' }) };
  expect(await judge(missing, ended(127, { missing: 'mocha' }))).toMatchObject({ runs: 1, missing: 'mocha' });
  const broken = await judge({ base: base({ result: 'green' }) }, ended(127, { missing: 'mocha' }), ended(127));
  expect([broken.runs, broken.missing]).toEqual([2, undefined]);
});

it('a failed set-up is not a failure of the base', async () => {
  const known = { isKnownRed: true, base: base({ errors: [] }) } as const;
  const judged = await judge(known, ended(1, { isSetUp: true }));
  expect([judged.ran.ok, judged.ran.note]).toEqual([false, undefined]);
});

it('files of the checkout are named, whatever the end', async () => {
  const judged = await judge({}, ended(1, { outside: ['a.js'] }), ended(1, { outside: ['b.js'] }));
  expect(judged.findings).toMatchObject([{ kind: 'outside-room', rejects: false, paths: ['a.js', 'b.js'] }]);
});
