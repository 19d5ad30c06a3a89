import { expect, it } from 'vitest';
import { defaultChecks, limitChecks } from './limit-checks.ts';

const tick = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('runs as many as allowed, the others in order; one that fails makes room, one that gives up takes none', async () => {
  const most = 2;
  const limited = limitChecks(() => most);
  const running: string[] = [];
  const ends = new Map<string, (isGood: boolean) => void>();
  const giveUp = new AbortController();
  const start = (name: string, signal = new AbortController().signal): Promise<unknown> =>
    limited(async () => {
      running.push(name);
      await new Promise<void>((resolve, reject) => {
        ends.set(name, (isGood) => (isGood ? resolve() : reject(new Error(name))));
      });
    }, signal).catch((error: unknown) => String(error));
  const all = [start('a'), start('b'), start('c', giveUp.signal), start('d'), start('e')];
  await tick();
  expect(running).toEqual(['a', 'b']);
  giveUp.abort('enough');
  expect(await all[2]).toBe('enough');
  ends.get('a')?.(false);
  expect(await all[0]).toBe('Error: a');
  await tick();
  expect(running).toEqual(['a', 'b', 'd']);
  ends.get('b')?.(true);
  ends.get('d')?.(true);
  await tick();
  expect(running).toEqual(['a', 'b', 'd', 'e']);
  ends.get('e')?.(true);
  await Promise.all(all);
});

it('allows at least one without a setting', () => {
  expect(defaultChecks()).toBeGreaterThan(0);
});
