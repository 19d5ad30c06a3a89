/** The suite that every program passes under our drivers, against a scripted model. One row of facts is one program and way. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { read } from '../../src/contracts/read/read.ts';
import type { Turn } from '../../src/drivers/driver.ts';
import { contract, drive, type Driven, good, type Ground, groundFor } from './drive.ts';
import type { ClientFacts } from './facts.ts';
import { processesWith } from './processes.ts';
import { inOrder, type Script } from './model-api/script.ts';

const done = { does: 'say', text: 'Done.' } as const;
const repairWords = 'That return breaks its contract: return again.';

const isRead = (text: string): boolean => read(contract, text).ok;

/** Returns in words that keep no contract, until it is told to do better. */
const malformed: Script = ({ tools, turn, messages, results }) => {
  if (tools.length === 0) return { does: 'say', text: 'hidden' };
  if (turn === 0) return { does: 'write', path: 'made.txt', text: 'made\n' };
  if (!messages.some(({ text }) => text.includes(repairWords))) return { does: 'say', text: 'It is all done.' };
  return results.length > 0 ? done : good;
};

export function clientSuite(facts: ClientFacts): void {
  const { client, way, via, calls, usage, resumes, outside, reviewing = {}, quota } = facts;

  describe(`${client} by ${way}`, () => {
    let ground: Ground;
    let open: Driven[] = [];
    beforeAll(() => {
      ground = groundFor(facts);
    });
    afterEach(async () => {
      await Promise.all(open.map(({ close }) => close()));
      open = [];
    });
    afterAll(() => ground.clear());

    async function begin(script: Script, variables: Readonly<Record<string, string>> = {}): Promise<Driven> {
      const driven = await drive(facts, ground, script, { variables });
      open.push(driven);
      return driven;
    }

    describe('with a task', () => {
      let driven: Driven;
      let turn: Turn;
      beforeAll(async () => {
        const script = inOrder({ does: 'write', path: 'made.txt', text: 'made\n' }, good, done);
        driven = await drive(facts, ground, script, { tier: 'fast' });
        turn = await driven.first;
        // Some ask for a title or a suggestion when all is said.
        await after(1500);
        await driven.close();
      });

      it('does it in its room', () => {
        expect(driven.api.faults).toEqual([]);
        expect(readFileSync(join(driven.task.directory, 'made.txt'), 'utf8')).toBe('made\n');
      });

      it('returns by contract', () => {
        expect(turn).toMatchObject({ end: 'returned', ...(via && { via }) });
        expect(isRead(turn.end === 'returned' ? turn.text : '')).toBe(true);
      });

      it('makes no unrequested model call', () => {
        expect(driven.api.requests.map(({ tools }) => tools.length > 0)).toEqual(Array(calls).fill(true));
      });

      it('tells what it used, as far as it knows', () => {
        expect(turn.usage).toMatchObject(usage);
        expect(turn.usage?.isPartial).toBe(usage.isPartial);
      });

      it('leaves no process', () => expect(driven.processes()).toEqual([]));
    });

    it('repairs a malformed return in the same conversation', async () => {
      const { first, repair, api, processes, close } = await begin(malformed);
      const turn = await first;
      expect(turn).toMatchObject({ end: 'returned' });
      expect(isRead(turn.end === 'returned' ? turn.text : '')).toBe(false);
      const repaired = await repair(repairWords);
      expect(repaired).toMatchObject({ end: 'returned', ...(via && { via }) });
      expect(isRead(repaired?.end === 'returned' ? repaired.text : '')).toBe(true);
      // What was said before is still known.
      expect(api.requests.at(-1)?.turn).toBeGreaterThanOrEqual(2);
      await close();
      expect(processes()).toEqual([]);
    });

    const places = resumes === 'here' ? [false, true] : [false];
    it.each(places)(`finds its conversation ${resumes}, in another process; in the same room: %s`, async (isHere) => {
      const before = await begin(inOrder({ does: 'say', text: 'I have begun.' }));
      await before.first;
      await before.close();
      const second = await drive(facts, ground, inOrder(good, good, done), { before, isHere });
      open.push(second);
      expect(await second.first).toMatchObject({ end: 'returned' });
      const [request] = second.api.requests;
      expect(request?.messages.some(({ text }) => text.includes('I have begun.'))).toBe(
        resumes === 'anywhere' || (isHere && resumes === 'here'),
      );
    });

    it('is stopped at its limit of turns', async () => {
      let calls = 0;
      // Some stop an agent that repeats itself.
      const script: Script = ({ tools }) =>
        tools.length === 0 ? done : { does: 'run', command: `echo ${(calls += 1)}; sleep 0.2` };
      const driven = await drive(facts, ground, script, { limits: { turns: 3 } });
      open.push(driven);
      const message = 'stopped at its limit of 3 turns; the files it left are kept';
      expect(await driven.first).toMatchObject({ end: 'failed', cause: 'limit', message });
      // A client with a switch makes no further call; another is stopped at its next answer.
      expect([3, 4, 5]).toContain(calls);
      await driven.close();
      expect(driven.processes()).toEqual([]);
    });

    it('is cancelled while it runs a command, and leaves no process', async () => {
      // Known by its arguments, should it have lost its environment. One program runs no command that only sleeps.
      const sleep = `sleep\0${600 + Math.random()}`;
      const { first, abort, processes, close } = await begin(
        inOrder({ does: 'run', command: `touch begun; ${sleep.replace('\0', ' ')}` }, done),
      );
      await expect.poll(() => processesWith(sleep), { timeout: 60_000 }).toHaveLength(1);
      expect(processes()).not.toEqual([]);
      abort('gently');
      expect(await first).toMatchObject({ end: 'cancelled' });
      await close();
      expect([...processes(), ...processesWith(sleep)]).toEqual([]);
    });

    it('meets its deadline while its model is silent, and leaves no process', async () => {
      const { first, abort, api, processes, close } = await begin(inOrder({ does: 'stall' }));
      await api.called(1);
      expect(processes()).not.toEqual([]);
      abort('gently');
      expect(await first).toMatchObject({ end: 'cancelled' });
      await close();
      expect(processes()).toEqual([]);
    });

    it('is ended at once', async () => {
      const { first, abort, api, processes, close } = await begin(inOrder({ does: 'stall' }));
      await api.called(1);
      abort('at-once');
      expect(await first).toMatchObject({ end: 'cancelled' });
      await close();
      expect(processes()).toEqual([]);
    });

    it.each([
      ['at once', []],
      ['in the middle of its work', [{ does: 'write', path: 'made.txt', text: 'made\n' }]],
    ] as const)('fails when its provider does, %s', async (_, before) => {
      const broken = { does: 'fail', status: 400, message: 'the request was malformed' } as const;
      const { first } = await begin(inOrder(...before, broken));
      expect(await first).toMatchObject({ end: 'failed', cause: 'exit' });
    });

    const expectFailure = async (met: NonNullable<typeof quota>): Promise<void> => {
      const { step, variables, after: seconds, cause } = met();
      const from = Date.now();
      const { first } = await begin(inOrder(step), variables);
      const turn = await first;
      expect(turn).toMatchObject({ end: 'failed', cause });
      const until = turn.end === 'failed' && turn.cause === 'quota' ? turn.until : undefined;
      expect(isAbout(until, seconds === undefined ? undefined : from + seconds * 1000)).toBe(true);
    };

    const expectSilence = async (): Promise<void> => {
      const headers = { 'retry-after': '3600' };
      const { first, abort, api } = await begin(inOrder({ does: 'fail', status: 429, headers }));
      await api.called(1);
      expect(await Promise.race([first, after(3000, 'nothing')])).toBe('nothing');
      abort('gently');
      expect(await first).toMatchObject({ end: 'cancelled' });
    };

    it(`${quota === undefined ? 'waits in silence for the end of' : 'knows'} a limit when it meets one`, async () => {
      await (quota === undefined ? expectSilence() : expectFailure(quota));
    });

    it('writes its report as a reviewer, and nothing else', async () => {
      let report = '';
      const script: Script = (request) =>
        inOrder(
          { does: 'write', path: report, text: '# Review\n' },
          { does: 'write', path: 'made.txt', text: 'made\n' },
          good,
          done,
        )(request);
      const driven = await drive(facts, ground, script, { isReview: true, variables: reviewing });
      open.push(driven);
      report = driven.task.reportPath;
      await driven.first;
      expect(driven.api.faults).toEqual([]);
      expect(existsSync(join(driven.task.directory, report))).toBe(true);
      expect(existsSync(join(driven.task.directory, 'made.txt'))).toBe(false);
    });

    it('writes nothing outside of its room', async () => {
      const file = join(ground.outside, `${way}.txt`);
      const { first, notes, api } = await begin(inOrder({ does: 'write', path: file, text: 'x' }, good, done));
      const ended = await first;
      expect(api.faults).toEqual([]);
      expect(existsSync(file)).toBe(false);
      expect(ended).toMatchObject({ end: 'returned' });
      const isTold = notes.some((note) => note.kind === 'permission' && !note.granted);
      expect(isTold ? ['told', 'either'] : ['silent', 'either']).toContain(outside);
    });
  });
}

/** Some clocks that programs show have no seconds. */
function isAbout(until: number | undefined, expected: number | undefined): boolean {
  return until === expected || Math.abs((until ?? 0) - (expected ?? 0)) < 90_000;
}
