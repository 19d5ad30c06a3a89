import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canReadProcesses } from './process-stat.ts';
import { commandEnvironment, findCommands } from './running-command.ts';

const groups: number[] = [];
/** With everything it started. */
const killAll = (): void => groups.splice(0).forEach((pid) => process.kill(-pid, 'SIGKILL'));
afterEach(killAll);

/** Resolves when the program, and its own child, runs. */
async function start(variables: Record<string, string>): Promise<void> {
  const env = { PATH: process.env['PATH'], ...variables };
  const child = spawn('sh', ['-c', 'sleep 600 & echo up; wait'], {
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  groups.push(child.pid ?? 0);
  await once(child.stdout, 'data');
}

let tests = 0;
let note = noteOf();
beforeEach(() => (note = noteOf()));

/** Of a run of its own: processes of the test before may still end. */
function noteOf() {
  const run = `run_${process.pid}_${(tests += 1)}`;
  return { run, purpose: 'acceptance', of: 'sess_1', command: 'npm test -- é', since: 5 } as const;
}

describe.skipIf(!canReadProcesses)('the commands of a run', () => {
  it('are found once each, the oldest first, while they run', async () => {
    await start(commandEnvironment(note));
    await start(commandEnvironment({ ...note, since: 4, purpose: 'set-up' }));
    await start(commandEnvironment({ ...note, run: 'run_other' }));
    await start({ PATH: process.env['PATH'] ?? '' });
    expect(findCommands(note.run)).toEqual([{ ...note, since: 4, purpose: 'set-up' }, note]);
  });

  it('are gone when they were killed', async () => {
    await start(commandEnvironment(note));
    expect(findCommands(note.run)).toHaveLength(1);
    killAll();
    await expect.poll(() => findCommands(note.run)).toEqual([]);
  });

  it('are not what another program has in that variable', async () => {
    const odd = [{ ...note, purpose: 'x' }, { ...note, since: '5' }, [note], note.run];
    for (const text of ['', '{', ...odd.map((one) => JSON.stringify(one))]) await start({ DIVISI_COMMAND: text });
    expect(findCommands(note.run)).toEqual([]);
  });

  it('have a note of limited length', () => {
    const { DIVISI_COMMAND = '' } = commandEnvironment({ ...note, command: 'x'.repeat(100_000) });
    expect(DIVISI_COMMAND.length).toBeLessThan(600);
  });
});
