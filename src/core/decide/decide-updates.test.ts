/** A newer base and newer settings: between two merges, and work that no longer holds is done again. */
import { describe, expect, it } from 'vitest';
import {
  checkBase,
  complete,
  merge,
  running,
  startedRunOf,
  stepsOf,
  verificationOf,
  verify,
  workspaceFacts,
} from '../../../tests/support/settling.ts';
import { advance, end, happen } from '../../../tests/support/state-of.ts';
import type { NewEvent } from '../event/event.ts';
import { workspaceOf } from '../state/current-workspace.ts';
import type { RunState } from '../state/state.ts';

const request = {
  kind: 'update.requested',
  update: 'update-1',
  workspace: { ...workspaceFacts, timeout: 5, accept: [['new', 'check']] },
  commit: 'theirs',
} satisfies NewEvent;

const purposes = (state: RunState): string[] => stepsOf(state).map(({ purpose }) => purpose);

function updated(state: RunState, stale: readonly string[] = []): RunState {
  const broken = stale.map((task) => ({ task, why: 'broken' }));
  const nothing = { merged: 1, drifted: [], verified: [], stale: broken };
  return happen(state, { kind: 'workspace.updated', update: 'update-1', head: 'updated', ...nothing });
}

describe('an update', () => {
  it('waits for the merge that is going on, and the next merge waits for it', () => {
    const state = startedRunOf([[{ id: '1.1' }, { id: '1.2' }]]);
    for (const id of ['1.1', '1.2']) {
      end(state, id, 'completed');
      verify(state, id);
    }
    advance(state);
    happen(state, request);
    expect(purposes(state)).toEqual(['merge']);
    expect(() => updated(state)).toThrow('update-1 is not due');
    merge(state, 'merged-1.1');
    advance(state);
    expect([state.merge, purposes(state)]).toEqual([null, ['update']]);
    updated(state);
    advance(state);
    expect(state.merge).toMatchObject({ task: '1.2', head: 'updated' });
  });

  it('replaces base and settings for what starts later; refused, it changes nothing', () => {
    const state = startedRunOf([[{ id: '1.1' }]]);
    happen(state, request, { kind: 'update.refused', update: 'update-1', why: 'conflict', files: ['a'] });
    expect([workspaceOf(state), state.updates]).toEqual([workspaceFacts, []]);
    happen(state, { ...request, update: 'update-2' });
    const nothing = { merged: 1, drifted: [], verified: [], stale: [] };
    happen(state, { kind: 'workspace.updated', update: 'update-2', head: 'updated', ...nothing });
    expect(workspaceOf(state)).toMatchObject({ base: 'theirs', timeout: 5 });
    expect(state.workspaces).toHaveLength(2);
    end(state, '1.1', 'completed');
    checkBase(state);
    const step = stepsOf(state).find(({ purpose }) => purpose === 'verify');
    expect(step).toMatchObject({ commands: [{ argv: ['new', 'check'], from: 'config' }] });
  });

  it('keeps the base where nothing was merged', () => {
    const state = happen(startedRunOf([[{ id: '1.1' }]]), { ...request, commit: undefined });
    const nothing = { merged: 0, drifted: [], verified: [], stale: [] };
    happen(state, { kind: 'workspace.updated', update: 'update-1', ...nothing });
    expect(workspaceOf(state)).toMatchObject({ base: 'ba5e', timeout: 5 });
    expect(state.head).toBeNull();
  });

  it('has broken work done again with its dependents once no agent works; until then nothing starts', () => {
    const state = complete(
      startedRunOf([[{ id: '1.1' }, { id: '1.2', after: [{ task: '1.1' }] }, { id: '1.3' }]]),
      '1.1',
    );
    updated(happen(state, request), ['1.1']);
    advance(state);
    expect(running(state)).toEqual(['1.3', '1.2']);
    end(state, '1.2', 'failed');
    advance(state);
    expect(running(state)).toEqual(['1.3']);
    end(state, '1.3', 'completed');
    happen(state, {
      kind: 'task.verified',
      task: '1.3',
      delegation: state.tasks.get('1.3')!.attempt!.delegation,
      verification: verificationOf(),
    });
    advance(state);
    expect(running(state)).toEqual(['1.1']);
    expect(state.tasks.get('1.3')?.progress.status).toBe('completed');
    expect(state.stale).toEqual([]);
  });
});
