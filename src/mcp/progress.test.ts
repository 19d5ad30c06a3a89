import type { ServerContext } from '@modelcontextprotocol/server';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { aCommand, commandRun } from '../../tests/support/command-run.ts';
import { scriptedRun } from '../../tests/support/scripted-run.ts';
import { temporaryFolders } from '../../tests/support/temporary-folder.ts';
import { loadPlan } from '../plan/parse-plan.ts';
import { progressFor } from './progress.ts';

const { plan } = loadPlan('# P\n## Wave 1\n| id | task | status |\n|---|---|---|\n| 1.1 | a | [ ] |\n', 'plan.md');
const state = scriptedRun(plan, () => ({})).state();

const folder = temporaryFolders();

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Sent {
  readonly progress: number;
  readonly total: number;
  readonly message: string;
}

/** A context with a client that wants to know, or not; what it is sent is kept. */
function listening(progressToken: number | undefined): { readonly context: ServerContext; readonly sent: Sent[] } {
  const sent: Sent[] = [];
  const notify = async ({ params }: { params?: unknown }): Promise<void> => void sent.push(params as Sent);
  const _meta = progressToken === undefined ? {} : { progressToken };
  const mcpReq = { _meta, notify, signal: new AbortController().signal };
  return { context: { mcpReq } as unknown as ServerContext, sent };
}

it('is sent at once, not for every event, and again before a client times out', () => {
  const { context, sent } = listening(7);
  const { seen, end } = progressFor(context);
  for (let at = 0; at < 100; at += 1) seen(state);
  expect(sent).toEqual([{ progressToken: 7, progress: 0, total: 3, message: '0/1 tasks' }]);
  vi.advanceTimersByTime(10 * 60_000);
  expect(sent.length).toBeGreaterThanOrEqual(11);
  expect(sent.length).toBeLessThanOrEqual(15);
  // The protocol wants it to grow.
  const numbers = sent.map(({ progress }) => progress);
  expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other));
  expect(sent.every(({ progress, total }) => progress <= total)).toBe(true);
  end();
  vi.advanceTimersByTime(10 * 60_000);
  expect(sent.length).toBe(numbers.length);
});

it('names what runs by its title, and is not complete before the reviews are', async () => {
  vi.useRealTimers();
  const notes: Sent[] = [];
  const run = scriptedRun(plan, ({ task }) => {
    const { context, sent } = listening(7);
    const { seen, end } = progressFor(context);
    seen(run.state());
    end();
    notes.push(...sent);
    return task.id === '1.1' ? {} : { verdict: { priority: 'LOW', action: 'none' } };
  });
  await run.work();
  expect(notes.map(({ message }) => message)).toEqual([
    '0/1 tasks, running: 1.1 a',
    expect.stringMatching(/^1\/1 tasks, running: wave-1:review \S/),
  ]);
  expect(notes.map(({ progress, total }) => [progress, total])).toEqual([
    [0, 3],
    [1, 3],
  ]);
  const { context, sent } = listening(7);
  const { seen, end } = progressFor(context);
  seen(run.state());
  end();
  expect(sent).toMatchObject([{ progress: 3, total: 3, message: '1/1 tasks' }]);
});

it('is not sent to a client that did not ask', () => {
  const { context, sent } = listening(undefined);
  const { seen, end } = progressFor(context);
  seen(state);
  vi.advanceTimersByTime(10 * 60_000);
  end();
  expect(sent).toEqual([]);
});

it('shows the stage of a command', () => {
  const command = commandRun(folder(), { workflow: aCommand(), agent: 'lean-research-agent' });
  command.advance();
  const { context, sent } = listening(7);
  const { seen, end } = progressFor(context);
  seen(command.state);
  end();
  command.release();
  const message = 'research 12: invocation, running: lean-research-agent';
  expect(sent).toEqual([{ progressToken: 7, progress: 4, total: 7, message }]);
});
