/**
 * What every driver promises (`src/drivers/driver.ts`), asked of each implementation with scripted agents.
 */
import { mkdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Conversation, Driver, DriverNote, DriverTask } from '../../src/drivers/driver.ts';
import { type TurnUsage, withUsage } from '../../src/dialects/usage.ts';
import { type Files, temporaryFolders } from '../support/temporary-folder.ts';
import { driverTask } from './driver-task.ts';
import { endOf, type KnownUsage } from './known-usage.ts';
import { filesIn, textOf } from './files.ts';
import { expectGone } from './gone.ts';

/** What an agent is to do with its first turn. `answers` are its turns after that; null hangs. Each of them uses the same. */
export type Wish =
  | { readonly kind: 'not-started' }
  | ({ readonly usage?: TurnUsage } & (
      | { readonly kind: 'return'; readonly text: string; readonly answers?: readonly (string | null)[] }
      | { readonly kind: 'fail'; readonly cause: 'exit' | 'signal'; readonly said: string }
      | { readonly kind: 'quota'; readonly retryAfter?: number; readonly said: string }
      | { readonly kind: 'hang'; readonly said: string }
    ));

/** By task. Either all are `not-started` or none is. */
export type Wishes = Readonly<Record<string, Wish>>;

export type MakeDriver = (wishes: Wishes, folder: (files?: Files) => string) => Driver;

interface Started extends Conversation {
  readonly task: DriverTask;
  readonly notes: readonly DriverNote[];
  readonly cancel: () => void;
}

/** A conversation whose id we choose is noted before its program starts. */
const started = (notes: readonly DriverNote[]): readonly DriverNote[] => notes.filter(({ kind }) => kind === 'started');

const soon = { timeout: 30_000, interval: 10 };

export interface Particulars {
  /** Without it, all of it is known at any time. */
  readonly known?: KnownUsage;
  /** It can ask its agent again as long as that runs. */
  readonly canAlwaysAsk?: true;
}

export function driverConformance(name: string, make: MakeDriver, particulars: Particulars = {}): void {
  const { known = (wished) => wished, canAlwaysAsk = false } = particulars;
  const folder = temporaryFolders();

  function taskIn(root: string, own: Partial<Record<keyof DriverTask, unknown>> = {}): DriverTask {
    mkdirSync(join(root, 'project'), { recursive: true });
    return driverTask(join(root, 'project'), own);
  }

  function start(driver: Driver, task: DriverTask = taskIn(folder()), aborted = false): Started {
    const cancel = new AbortController();
    if (aborted) cancel.abort();
    const notes: DriverNote[] = [];
    const { first, repair, close } = driver.start(task, cancel.signal, (note) => notes.push(note));
    return { first, repair, close, task, notes, cancel: () => cancel.abort() };
  }

  const one = (wish: Wish): Started => start(make({ '1.1': wish }, folder));

  async function untilSaid({ task }: Started, text: string, file = task.outputFile): Promise<void> {
    await expect.poll(() => textOf(file), soon).toBe(text);
  }

  describe(`the ${name} driver`, () => {
    it('gives back what the agent returns, says that it started, and keeps the text', async () => {
      const text = 'line one\n  "two" ü🎻\n\n';
      const { first, close, notes, task } = one({ kind: 'return', text });
      expect(started(notes)).toEqual([]);
      expect(await first).toEqual({ end: 'returned', text });
      expect(started(notes)).toHaveLength(1);
      expect(textOf(task.outputFile)).toBe(text);
      await close();
    });

    it('returns nothing when the agent says nothing', async () => {
      const { first, close } = one({ kind: 'return', text: '' });
      expect(await first).toEqual({ end: 'returned', text: '' });
      await close();
    });

    it.each(['exit', 'signal'] as const)('fails by %s and keeps what was said', async (cause) => {
      const { first, close, task } = one({ kind: 'fail', cause, said: 'half a ret' });
      expect(await first).toEqual({ end: 'failed', cause, message: expect.stringMatching(/./), said: 'half a ret' });
      expect(textOf(task.outputFile)).toBe('half a ret');
      await close();
    });

    it('says that a quota is the reason, and when it is there again', async () => {
      const began = Date.now();
      const { first, close, task } = one({ kind: 'quota', retryAfter: 120, said: 'half' });
      const turn = await first;
      const [message, until] = [expect.stringMatching(/./), expect.any(Number)];
      expect(turn).toEqual({ end: 'failed', cause: 'quota', until, message, said: 'half' });
      const time = 'until' in turn ? (turn.until ?? 0) : 0;
      expect(time).toBeGreaterThanOrEqual(began + 120_000);
      expect(time).toBeLessThanOrEqual(Date.now() + 120_000);
      expect(textOf(task.outputFile)).toBe('half');
      await close();
    });

    it('leaves open when a quota is there again, where that is unknown', async () => {
      const { first, close } = one({ kind: 'quota', said: '' });
      const turn = await first;
      expect(turn).toMatchObject({ end: 'failed', cause: 'quota' });
      expect(turn).not.toHaveProperty('until');
      await close();
    });

    it.each<Wish>([
      { kind: 'return', text: 'done', usage: { tokens: 1200, cost: 0.02 } },
      { kind: 'return', text: 'done', usage: { tokens: 0 } },
      { kind: 'fail', cause: 'exit', said: 'half', usage: { cost: 0.5 } },
      { kind: 'fail', cause: 'signal', said: 'half', usage: { tokens: 3 } },
      { kind: 'quota', said: '', usage: { tokens: 7, cost: 0 } },
    ])('says what a turn used, as far as that is known: %j', async (wish) => {
      const { first, close } = one(wish);
      const wished = 'usage' in wish && wish.usage !== undefined ? wish.usage : {};
      expect((await first).usage).toEqual(known(wished, endOf(wish)));
      await close();
    });

    it('says what a turn used that was cancelled', async () => {
      const usage = { tokens: 5, cost: 0.25 };
      const agent = one({ kind: 'hang', said: 'thinking', usage });
      await untilSaid(agent, 'thinking');
      agent.cancel();
      expect(await agent.first).toEqual({
        end: 'cancelled',
        said: 'thinking',
        ...withUsage(known(usage, 'cancelled')),
      });
      await agent.close();
    });

    it('says of each turn alone what it used', async () => {
      const wished = { tokens: 5, cost: 0.25 };
      const usage = known(wished, 'returned');
      const agent = one({ kind: 'return', text: 'bad', answers: ['good'], usage: wished });
      expect(await agent.first).toEqual({ end: 'returned', text: 'bad', usage });
      expect(await agent.repair('please')).toEqual({ end: 'returned', text: 'good', usage });
      await agent.close();
    });

    it('says nothing of what a turn used when that is unknown', async () => {
      const { first, close } = one({ kind: 'return', text: 'x' });
      expect(await first).not.toHaveProperty('usage');
      await close();
    });

    it('fails without a start, and says why', async () => {
      const { first, close, notes } = one({ kind: 'not-started' });
      expect(await first).toEqual({
        end: 'failed',
        cause: 'not-started',
        message: expect.stringMatching(/./),
        said: '',
      });
      expect(started(notes)).toEqual([]);
      await close();
    });

    it('ends as cancelled when the signal is aborted, and leaves no process', async () => {
      const agent = one({ kind: 'hang', said: 'thinking' });
      await untilSaid(agent, 'thinking');
      agent.cancel();
      expect(await agent.first).toEqual({ end: 'cancelled', said: 'thinking' });
      await agent.close();
      expectGone(agent);
    });

    it('does not start when the signal has been aborted before', async () => {
      const agent = start(make({ '1.1': { kind: 'return', text: 'x' } }, folder), undefined, true);
      expect(await agent.first).toEqual({ end: 'cancelled', said: '' });
      expect(agent.notes).toEqual([]);
      await agent.close();
    });

    it('can be closed at any time, more than once, and leaves no process', async () => {
      const agent = one({ kind: 'hang', said: 'thinking' });
      await untilSaid(agent, 'thinking');
      await Promise.all([agent.close(), agent.close()]);
      expectGone(agent);
      expect(await agent.first).toEqual({ end: 'cancelled', said: 'thinking' });
      await agent.close();
    });

    it('can be closed before it has really started', async () => {
      const agent = one({ kind: 'hang', said: 'thinking' });
      await agent.close();
      expectGone(agent);
      expect(await agent.first).toMatchObject({ end: 'cancelled' });
    });

    it('keeps its end when it is cancelled and closed afterwards', async () => {
      const agent = one({ kind: 'return', text: 'done' });
      await agent.first;
      agent.cancel();
      await agent.close();
      expect(await agent.first).toEqual({ end: 'returned', text: 'done' });
    });

    it('asks the same agent again, as often as it can', async () => {
      const agent = one({ kind: 'return', text: 'bad', answers: ['better', 'good'] });
      expect(await agent.first).toEqual({ end: 'returned', text: 'bad' });
      expect(await agent.repair('please')).toEqual({ end: 'returned', text: 'better' });
      expect(await agent.repair('once more')).toEqual({ end: 'returned', text: 'good' });
      expect(textOf(agent.task.outputFile)).toBe('bad');
      await agent.close();
    });

    it.skipIf(canAlwaysAsk)('says at once when it cannot ask again', async () => {
      const agent = one({ kind: 'return', text: 'bad' });
      await agent.first;
      expect(agent.repair('please')).toBeNull();
      await agent.close();
    });

    it.each(['cancelled', 'closed'])('ends a repair that is %s', async (how) => {
      const agent = one({ kind: 'return', text: 'bad', answers: [null] });
      await agent.first;
      const answer = agent.repair('please');
      if (how === 'cancelled') agent.cancel();
      else await agent.close();
      expect(await answer).toMatchObject({ end: 'cancelled' });
      await agent.close();
      expectGone(agent);
    });

    it('does not mix twenty conversations side by side', async () => {
      const ids = Array.from({ length: 20 }, (_, at) => `1.${at}`);
      const root = folder();
      const wishes = ids.map((id): [string, Wish] => [
        id,
        { kind: 'return', text: `I am ${id}`, answers: [`still ${id}`] },
      ]);
      const driver = make(Object.fromEntries(wishes), folder);
      const agents = ids.map((task, at) =>
        start(driver, taskIn(root, { task, delegation: `sess_1767225600_aaaa${String(at).padStart(2, '0')}` })),
      );
      const said = await Promise.all(
        agents.map(async (agent) => [await agent.first, await agent.repair('again'), textOf(agent.task.outputFile)]),
      );
      expect(said).toEqual(
        ids.map((id) => [
          { end: 'returned', text: `I am ${id}` },
          { end: 'returned', text: `still ${id}` },
          `I am ${id}`,
        ]),
      );
      await Promise.all(agents.map((agent) => agent.close()));
    }, 60_000);

    it('writes nowhere but in the directory and beside the output file', async () => {
      const root = folder({ 'other/a.txt': 'a', 'project/b.txt': 'b' });
      const before = filesIn(root);
      const wish: Wish = { kind: 'return', text: 'x', answers: ['y'], usage: { tokens: 1 } };
      const agent = start(make({ '1.1': wish }, folder), taskIn(root));
      await agent.first;
      await agent.repair('again');
      await agent.close();
      const fresh = filesIn(root).filter((file) => !before.includes(file));
      const beside = relative(root, dirname(agent.task.outputFile));
      expect(fresh.filter((file) => !file.startsWith('project/') && !file.startsWith(`${beside}/`))).toEqual([]);
      expect(fresh.length).toBeGreaterThan(0);
    });

    it('recovers what was returned, the last answer first', async () => {
      const driver = make({ '1.1': { kind: 'return', text: 'bad', answers: ['good'] } }, folder);
      const agent = start(driver);
      expect(await driver.recover(taskIn(folder()))).toBeNull();
      await agent.first;
      expect(await driver.recover(agent.task)).toBe('bad');
      await agent.repair('again');
      expect(await driver.recover(agent.task)).toBe('good');
      await agent.close();
    });

    it.each<Wish>([
      { kind: 'fail', cause: 'exit', said: 'half' },
      { kind: 'quota', said: 'half' },
      { kind: 'hang', said: 'half' },
    ])('recovers nothing of what is known not to have returned: $kind', async (wish) => {
      const driver = make({ '1.1': wish }, folder);
      const agent = start(driver);
      if (wish.kind === 'hang') await untilSaid(agent, 'half');
      agent.cancel();
      await agent.first;
      await agent.close();
      expect(await driver.recover(agent.task)).toBeNull();
    });
  });
}
