/** A conductor that stops: held while the run needs it, three times in a row without progress; then the run waits for a conductor. */
import { describe, expect, it } from 'vitest';
import type { RunState } from '../../src/core/state/state.ts';
import { nothing } from '../../src/hooks/answer.ts';
import { withLedger } from '../../src/project/project-ledger.ts';
import { shownStatusOf } from '../../src/project/shown-status-of.ts';
import type { ShownStatus } from '../../src/views/run/shown-status.ts';
import { type Conducted, conducted, delegated, reportOf } from '../support/conducted.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const folder = temporaryFolders();
const held = (offer: string) => ({ kind: 'continue', message: expect.stringContaining(offer) as string });
const offer = 'Delegate: 1.1 (divisi:worker-standard), 1.2 (divisi:worker-standard).';

const shown = async ({ project, run }: Conducted): Promise<ShownStatus | undefined> =>
  withLedger(project, async (ledger) => {
    const row = ledger.run(run);
    return row === null ? undefined : shownStatusOf(ledger, row);
  });

const conductorOf = async ({ state }: Conducted): Promise<Partial<NonNullable<RunState['conductor']>>> =>
  (await state()).conductor ?? {};

async function stopThrice(run: Conducted): Promise<void> {
  for (const last_assistant_message of ['One.', 'Two.', 'Three?'])
    expect(await run.hook('Stop', { last_assistant_message })).toEqual(held(offer));
}

describe('a conductor that stops', () => {
  it('is asked to continue three times, then let go once', async () => {
    const run = await conducted(folder());
    await stopThrice(run);
    expect([await conductorOf(run), await shown(run)]).toMatchObject([{ holds: 3, left: null }, 'running']);
    expect(await run.hook('Stop', { last_assistant_message: 'No.' })).toEqual(nothing);
    expect([await conductorOf(run), await shown(run)]).toMatchObject([
      { holds: 3, left: 'stopped' },
      'waiting for a conductor',
    ]);
    const { lastAt } = await run.state();
    expect(await run.hook('Stop', { last_assistant_message: 'No.' })).toEqual(nothing);
    expect((await run.state()).lastAt).toBe(lastAt);
  });

  it('that delegates is the conductor again, and has three more', async () => {
    const run = await conducted(folder());
    await stopThrice(run);
    await run.hook('Stop', { last_assistant_message: 'No.' });
    const { agent } = await delegated(run, '1.1', 'src/a.txt');
    expect([await conductorOf(run), await shown(run)]).toMatchObject([{ holds: 0, left: null }, 'running']);
    await run.hook('SubagentStop', { agent_id: agent, last_assistant_message: reportOf(run.run, '1.1', 'src/a.txt') });
    expect(await run.hook('Stop', {})).toEqual(held('Delegate: 1.2 (divisi:worker-standard).'));
  });

  it('waits for an agent in the background, until its return is verified and delivered', async () => {
    const run = await conducted(folder());
    const { agent } = await delegated(run, '1.1', 'src/a.txt');
    const waits = { background_tasks: [{ id: agent }] };
    expect(await run.hook('Stop', waits)).toEqual(nothing);
    await run.hook('SubagentStop', { agent_id: agent, last_assistant_message: reportOf(run.run, '1.1', 'src/a.txt') });
    expect(await run.hook('Stop', waits)).toEqual(nothing);
    expect(await conductorOf(run)).toMatchObject({ holds: 0, left: null });
    expect(await run.hook('Stop', { background_tasks: [{ id: 'another' }] })).toEqual(held('Delegate: 1.2 '));
  });

  it('may ask a person about a checkpoint, and is sent back to ask', async () => {
    const run = await conducted(folder());
    const { agent } = await delegated(run, '1.1', 'src/a.txt');
    const blocked = reportOf(run.run, '1.1', 'src/a.txt').replace('status: done', 'status: blocked');
    const last_assistant_message = blocked.replace('## Issues\n\nNone.', '## Issues\n\n- Which of the two?');
    await run.hook('SubagentStop', { agent_id: agent, last_assistant_message });
    const other = await delegated(run, '1.2', 'src/b.txt');
    const fine = reportOf(run.run, '1.2', 'src/b.txt');
    await run.hook('SubagentStop', { agent_id: other.agent, last_assistant_message: fine });
    expect(await run.hook('Stop', { last_assistant_message: 'Done.' })).toEqual(
      held('A person must answer checkpoint-1'),
    );
    for (const asked of ['Which of the two do you mean?', 'checkpoint-1 waits for you.'])
      expect(await run.hook('Stop', { last_assistant_message: asked })).toEqual(nothing);
    expect([await conductorOf(run), await shown(run)]).toMatchObject([{ holds: 1, left: null }, 'running']);
  });

  it('is gone when its conversation is closed, and back when it is resumed', async () => {
    const run = await conducted(folder());
    expect(await run.hook('SessionEnd', { reason: 'clear' })).toEqual(nothing);
    expect([await conductorOf(run), await shown(run)]).toMatchObject([{ left: 'closed' }, 'waiting for a conductor']);
    await run.hook('SessionStart', { source: 'resume' });
    expect([await conductorOf(run), await shown(run)]).toMatchObject([{ left: null }, 'running']);
    const { lastAt } = await run.state();
    await run.hook('SessionStart', { source: 'resume' });
    expect((await run.state()).lastAt).toBe(lastAt);
  });
});
