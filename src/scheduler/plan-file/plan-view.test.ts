import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { advance, createdRun, end, happen, planOf } from '../../../tests/support/state-of.ts';
import { temporaryFolders } from '../../../tests/support/temporary-folder.ts';
import type { NewEvent } from '../../core/event/event.ts';
import type { RunState } from '../../core/state/state.ts';
import { hashText } from '../../workspace/hash-text.ts';
import { type PlanFound, type PlanView, planView } from './plan-view.ts';

const folder = temporaryFolders();
const text = `# A plan
## Wave 1
| ID | Task | Status |
|---|---|---|
| 1.1 | one | [ ] |
| 1.2 | two | [ ] |

## Notes
- Mine.
`;

function halfDone(): RunState {
  const state = happen(createdRun(planOf([[{ id: '1.1' }, { id: '1.2' }]])), { kind: 'run.started', command: 'x' });
  advance(state);
  return end(state, '1.1', 'completed');
}

interface Opened {
  readonly file: string;
  readonly view: PlanView;
  readonly recorded: NewEvent[];
  /** What it was told that someone else has made of the file. */
  readonly found: PlanFound[];
}

interface Around {
  readonly onRecord?: (event: NewEvent, file: string) => void;
  /** Whether someone takes notice of what others have changed. */
  readonly notices?: boolean;
}

function open(name = 'plan.md', { onRecord = () => undefined, notices = true }: Around = {}): Opened {
  const project = folder({ [name]: text });
  const file = join(project, name);
  // Written long ago.
  utimesSync(file, new Date(0), new Date(0));
  const recorded: NewEvent[] = [];
  const record = (event: NewEvent): void => {
    recorded.push(event);
    onRecord(event, file);
  };
  const trouble = (error: unknown): void => {
    throw error;
  };
  const found: PlanFound[] = [];
  const changed = (one: PlanFound): boolean => {
    found.push(one);
    return notices;
  };
  const isKnown = (hash: string): boolean => hash === hashText(text);
  const view = planView({ project, file: name, isKnown, unwritten: [], record, changed, trouble });
  return { file, recorded, found, view };
}

function isOpenHere(file: string): boolean {
  return readdirSync('/proc/self/fd').some((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === file;
    } catch {
      return false;
    }
  });
}

describe('the view in the plan', () => {
  it('is on record before it is written, with what it will hold', async () => {
    const { file, view, recorded } = open();
    await view.write(halfDone());
    const written = readFileSync(file, 'utf8');
    expect(written).toContain('| 1.1 | one | [~] |');
    expect(recorded).toEqual([{ kind: 'plan.written', file: 'plan.md', hash: hashText(written) }]);
    await view.write(halfDone());
    expect(recorded).toHaveLength(1);
  });

  it('waits for an editor that has written the half of it', async () => {
    const { file, view, found } = open();
    const edited = text.replace('- Mine.', '- Mine, and more.');
    const handle = openSync(file, 'w');
    writeSync(handle, edited.slice(0, 80));
    const writing = view.write(halfDone());
    await new Promise((resolve) => setTimeout(resolve, 60));
    writeSync(handle, edited.slice(80));
    closeSync(handle);
    await writing;
    const written = readFileSync(file, 'utf8');
    expect(written).toContain('- Mine, and more.');
    expect(written).toContain('| 1.1 | one | [~] |');
    expect(found).toHaveLength(1);
  });

  it.skipIf(!existsSync('/proc/self/fd'))(
    'does not take what an editor has begun to save while it was read',
    async () => {
      const { file, view, found } = open();
      const edited = text.replace('- Mine.', '- Mine, and more.');
      // Large, so that reading it takes a while.
      writeFileSync(file, `${text}${'- More.\n'.repeat(500_000)}`);
      utimesSync(file, new Date(0), new Date(0));
      const writing = view.write(halfDone());
      while (!isOpenHere(file)) await nextTurn();
      writeFileSync(file, edited.slice(0, 40));
      await new Promise((resolve) => setTimeout(resolve, 60));
      writeFileSync(file, edited);
      await writing;
      expect(found).toMatchObject([{ hash: hashText(edited), now: { title: 'A plan' } }]);
    },
  );

  it('gives way to an edit that comes between its reading and its writing', async () => {
    let isEdited = false;
    const { file, view, recorded, found } = open('plan.md', {
      onRecord: (event, path) => {
        if (event.kind !== 'plan.written' || isEdited) return;
        isEdited = true;
        writeFileSync(path, text.replace('- Mine.', '- Mine, at the last moment.'));
      },
    });
    await view.write(halfDone());
    const written = readFileSync(file, 'utf8');
    expect(written).toContain('- Mine, at the last moment.');
    expect(written).toContain('| 1.1 | one | [~] |');
    expect(recorded.map(({ kind }) => kind)).toEqual(['plan.written', 'plan.written']);
    expect(found).toMatchObject([
      { file: 'plan.md', before: { title: 'A plan' }, now: { title: 'A plan' }, hash: expect.any(String) },
    ]);
  });

  it('writes a line of its log once, also one that must be escaped', async () => {
    const { file, view } = open();
    const state = halfDone();
    const because = 'Map<string>';
    happen(state, { kind: 'task.settled', task: '1.1', status: 'completed' });
    view.follow([{ kind: 'task.skipped', version: 1, at: 0, task: '1.2', because }], state);
    await view.write(state);
    writeFileSync(file, readFileSync(file, 'utf8').replace('- Mine.', '- Mine again.'));
    utimesSync(file, new Date(0), new Date(0));
    await view.write(state);
    expect(readFileSync(file, 'utf8').match(/did not complete/g)).toHaveLength(1);
    await view.close();
  });

  it('looks by itself whether someone has changed the file, also into no plan at all', async () => {
    const { file, view, found } = open();
    const state = halfDone();
    await view.write(state);
    expect(found).toEqual([]);
    view.watch(state);
    writeFileSync(file, '# Half a thought\n');
    await expect.poll(() => found.length, { timeout: 30_000 }).toBe(1);
    await view.close();
    expect(found[0]).toMatchObject({
      file: 'plan.md',
      hash: hashText('# Half a thought\n'),
      now: { fault: expect.stringMatching(/^line \d+: /) },
    });
    expect(found[0]?.marks.get('1.1')).toBe('~');
    expect(readFileSync(file, 'utf8')).toBe('# Half a thought\n');
  });

  it('leaves an edit it cannot record to the next session', async () => {
    const { file, view, recorded, found } = open('plan.md', { notices: false });
    const edited = text.replace('- Mine.', '- Mine, in between.');
    writeFileSync(file, edited);
    utimesSync(file, new Date(0), new Date(0));
    await view.write(halfDone());
    expect(found).toHaveLength(1);
    expect(recorded).toEqual([]);
    expect(readFileSync(file, 'utf8')).toBe(edited);
  });

  it('gives the file the name of the state, where its name has one', async () => {
    const { view, recorded } = open('a-plan-inprogress.md');
    const state = halfDone();
    happen(state, { kind: 'run.paused', reason: 'stopped', for: 'stop' });
    await view.write(state);
    await view.rename(state);
    expect(recorded.at(-1)).toMatchObject({ kind: 'plan.written', file: 'a-plan-paused.md' });
    const own = open('plan.md');
    await own.view.rename(state);
    expect(own.recorded).toEqual([]);
  });
});
