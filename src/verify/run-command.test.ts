import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { temporaryFolders } from '../../tests/support/temporary-folder.ts';
import { childEnvironment } from '../process/environment.ts';
import { canReadProcesses } from '../process/process-stat.ts';
import { findMarked, reap } from '../process/reap.ts';
import { type CommandSpec, type RanCommand, runCommand } from './run-command.ts';

const folder = temporaryFolders();
const run = `run_verify_${process.pid}`;
afterAll(() => reap(run));
let count = 0;

interface Given {
  readonly spec: CommandSpec;
  readonly controller: AbortController;
  readonly ran: () => Promise<RanCommand>;
  readonly said: () => string;
  /** Processes that are left of it. */
  readonly left: () => number;
}

function given(argv: readonly string[], more: Partial<CommandSpec> = {}): Given {
  const directory = folder({ 'here.txt': '' });
  count += 1;
  const spec: CommandSpec = {
    argv,
    directory,
    environment: childEnvironment(process.env, [], { OWN: 'yes' }),
    marker: { run, delegation: `sess_1900000000_${String(count).padStart(6, '0')}` },
    outputFile: join(directory, 'kept/out.txt'),
    timeoutSeconds: 20,
    ...more,
  };
  const controller = new AbortController();
  return {
    spec,
    controller,
    ran: () => runCommand(spec, controller.signal),
    said: () => (existsSync(spec.outputFile) ? readFileSync(spec.outputFile, 'utf8') : ''),
    left: () => {
      const found = findMarked(run, spec.marker.delegation);
      return found.supported ? found.processes.length : 0;
    },
  };
}

const sh = (script: string): string[] => ['sh', '-c', script];

describe('a command', () => {
  it('passes by its exit code, in its folder and its environment', async () => {
    const one = given(sh('ls; echo "$OWN" >&2'));
    expect(await one.ran()).toEqual({
      argv: one.spec.argv,
      ok: true,
      end: 'exit code 0',
      milliseconds: expect.any(Number),
    });
    expect(one.said()).toBe('here.txt\nkept\nyes\n');
  });

  it('keeps the line with the cause, however many lines follow it', async () => {
    const source = `console.log('RangeError: no price'); for (let i = 0; i < 90; i += 1) console.log('    at f' + i); process.exit(1)`;
    const { tail = '' } = await given([process.execPath, '-e', source]).ran();
    const lines = tail.split('\n');
    expect(lines[0]).toBe('RangeError: no price');
    expect(lines).toContain('…');
    expect(lines.at(-1)).toBe('at f89');
    expect(lines).toHaveLength(20);
  });

  it('fails by its exit code, whatever it says, and its last lines are kept', async () => {
    const one = given(sh('for i in $(seq 1 40); do echo line $i; done; echo all tests pass >&2; exit 3'));
    const { ok, end, tail } = await one.ran();
    expect({ ok, end }).toEqual({ ok: false, end: 'exit code 3' });
    expect(tail?.split('\n')).toEqual([...Array.from({ length: 19 }, (_, at) => `line ${at + 22}`), 'all tests pass']);
  });

  it('says nothing that steers a terminal or gives a secret away', async () => {
    const token = `ghp_${'q7Zp2mLx9RtVb4KdW8sN'.toUpperCase()}fHcJ`;
    const one = given([
      process.execPath,
      '-e',
      `process.stdout.write('10%\\r100%\\n\\x1b[31mred\\x1b[0m\\x07\\n${token}\\n\\u202ex'); process.exitCode = 1`,
    ]);
    expect((await one.ran()).tail).toBe('100%\nred\n[redacted:github]\nx');
  });

  it('that cannot be started has failed and says why', async () => {
    const one = given(['no-such-program-here']);
    const { ok, end } = await one.ran();
    expect({ ok, end }).toEqual({ ok: false, end: 'could not start: no-such-program-here was not found on the PATH' });
  });

  it('is ended when its time is over, with all it started', async () => {
    const one = given(sh('(trap "" TERM; sleep 60) & echo begun; sleep 60'), { timeoutSeconds: 0.3 });
    const { ok, end, tail } = await one.ran();
    expect({ ok, end, tail }).toEqual({ ok: false, end: 'timed out after 0.3 s', tail: 'begun' });
    expect(one.left()).toBe(0);
  });

  it.runIf(canReadProcesses)('leaves nothing behind that it started', async () => {
    const one = given(sh('setsid sleep 60 & sleep 60 & exit 0'));
    expect((await one.ran()).ok).toBe(true);
    expect(one.left()).toBe(0);
  });

  it('is stopped when it writes without end, and so much is kept', async () => {
    const one = given(['yes'], { mostOutput: 100_000 });
    const { ok, end } = await one.ran();
    expect({ ok, end }).toEqual({ ok: false, end: 'killed: more than 1 MiB of output' });
    expect(statSync(one.spec.outputFile).size).toBe(100_000);
  });

  it('is ended at once when it is cancelled, and nothing is known of it', async () => {
    const one = given(sh('trap "" TERM; sleep 60 & echo begun; sleep 60'));
    const ran = one.ran();
    await vi.waitFor(() => expect(one.said()).toBe('begun\n'), { timeout: 30_000, interval: 5 });
    one.controller.abort('enough');
    await expect(ran).rejects.toBe('enough');
    expect(one.left()).toBe(0);
  });

  it('is not started when it was cancelled before', async () => {
    const one = given(sh('echo begun'));
    one.controller.abort('enough');
    await expect(one.ran()).rejects.toBe('enough');
    expect(one.said()).toBe('');
  });

  it('begins with an empty file', async () => {
    const one = given(sh('echo once'));
    await one.ran();
    await one.ran();
    expect(one.said()).toBe('once\n');
  });
});
