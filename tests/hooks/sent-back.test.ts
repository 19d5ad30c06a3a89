/** Rejected work of an agent of a conversation: how often it goes back to the same agent. */
import { expect, it } from 'vitest';
import type { HookAnswer } from '../../src/hooks/answer.ts';
import { type Conducted, conducted, delegated, reportOf } from '../support/conducted.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const folder = temporaryFolders();

/** It claims a file that it has not written. */
const wrong = ({ run }: Conducted): string => reportOf(run, '1.1', 'src/never.txt');

const stop = (run: Conducted, agent_id: string, last_assistant_message: string): Promise<HookAnswer> =>
  run.hook('SubagentStop', { agent_id, last_assistant_message });

it('an agent gets its rejected work back as its next attempt, until its tier is exhausted', async () => {
  const run = await conducted(folder());
  const { agent } = await delegated(run, '1.1', 'src/a.txt');
  for (const attempt of [2, 3]) {
    const answer = await stop(run, agent, wrong(run));
    expect(answer).toMatchObject({
      kind: 'continue',
      message: expect.stringContaining(`attempt ${attempt} at task 1.1`),
    });
    expect(answer).toMatchObject({ message: expect.stringContaining('src/never.txt') });
  }
  expect(await stop(run, agent, wrong(run))).toEqual({ kind: 'nothing' });
  const task = (await run.state()).tasks.get('1.1');
  expect([task?.attempts, task?.tier, task?.progress.status]).toEqual([3, 'deep', 'pending']);
});

it('an agent is not held more often than the client allows', async () => {
  const run = await conducted(folder());
  const { agent } = await delegated(run, '1.1', 'src/a.txt');
  const said = ['prose', 'prose', wrong(run), 'prose', 'prose', wrong(run), 'prose'];
  for (const text of said) expect((await stop(run, agent, text)).kind).toBe('continue');
  // It could be asked for one more repair, but the client would let it go.
  expect(await stop(run, agent, 'prose')).toEqual({ kind: 'nothing' });
  expect((await run.state()).active.size).toBe(0);
});

it('an agent that corrects its work has completed it', async () => {
  const run = await conducted(folder());
  const { agent } = await delegated(run, '1.1', 'src/a.txt');
  await stop(run, agent, wrong(run));
  await stop(run, agent, reportOf(run.run, '1.1', 'src/a.txt'));
  const task = (await run.state()).tasks.get('1.1');
  expect([task?.attempts, task?.attempt?.verification?.verdict]).toEqual([2, 'verified']);
});
