/**
 * Disks that are full or read-only, and a ledger that goes away. Each disk is mounted in a mount namespace of its own, seen
 * by one script and gone with it, which takes privileges that not every machine gives: then these tests are skipped, and say so.
 */
import { findHome } from '../support/rooms.ts';
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFiles, said, type SampleProject } from '../support/project.ts';
import { startDivisi, until } from '../support/running.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { environment, mainFile, type Run } from '../support/divisi.ts';
import { ledgerFile } from '../../src/workspace/places.ts';

const folder = temporaryFolders();
/** They wait more than they work, all at once. */
const patient = { timeout: 120_000 };
const [unshare, flags] = ['unshare', process.getuid?.() === 0 ? '-m' : '-rm'];
const canMount = spawnSync(unshare, [flags, 'mount', '-t', 'tmpfs', 'tmpfs', folder()]).status === 0;
if (!canMount) console.warn('SKIPPED: runs on full and read-only disks were NOT tested: nothing can be mounted here');

/** `step NAME ARGS`: one command, whose output is kept outside of the disk. `left NAME`: the workers that still run. */
const steps = `
step() {
  name=$1; shift; code=0
  "$NODE" "$MAIN" "$@" >"$OUT/$name.out" 2>"$OUT/$name.err" || code=$?
  echo "$code" >"$OUT/$name.code"
}
left() {
  (cd / && for one in /proc/[0-9]*; do
    if [ "$(readlink "$one/cwd")" = "$DISK" ] && tr '\\0' ' ' <"$one/cmdline" | grep -q 'worker[.]mjs'; then echo "$one"; fi
  done) >"$OUT/$1.left"
}
`;

interface OnDisk {
  step(name: string): Run;
  file(name: string): string;
}

/** Runs a script in a project on a disk of this size. */
async function onDisk(size: string, sample: SampleProject, script: string): Promise<OnDisk> {
  const [source, disk, out] = [folder(projectFiles(sample)), folder(), folder()];
  const lines = `${steps}\nmount -t tmpfs -o size=${size} tmpfs "$DISK"\ncp -r "$SOURCE/." "$DISK"\ncd "$DISK"\n${script}`;
  // State is on the same disk; a run does not copy what is in `.divisi`.
  const state = join(disk, '.divisi/state');
  const variables = {
    SOURCE: source,
    DISK: disk,
    OUT: out,
    NODE: process.execPath,
    MAIN: mainFile,
    DIVISI_STATE: state,
  };
  const child = spawn(unshare, [flags, 'sh', '-ec', lines], {
    env: { ...environment(out), ...variables },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
  const file = (name: string): string => readFileSync(join(out, name), 'utf8');
  return {
    file,
    step: (name) => ({ code: Number(file(`${name}.code`)), stdout: file(`${name}.out`), stderr: file(`${name}.err`) }),
  };
}

const clean = ({ stderr }: Run): void => expect(stderr).not.toMatch(/\n\s+at |internal error/);

/** Fills the disk from inside of a task, and then does its work. */
const filling = `${findHome}
import { closeSync, openSync, writeSync } from 'node:fs';
if (process.env.DIVISI_TASK === '1.1' && process.env.DIVISI_ATTEMPT === '1') {
  const file = openSync(home + '/filler', 'w');
  for (let size = 65536; size >= 1; ) {
    try {
      writeSync(file, 'x'.repeat(size));
    } catch {
      size /= 2;
    }
  }
  closeSync(file);
}
await import('./worker-itself.mjs');
`;

describe.skipIf(!canMount).concurrent('a full disk', patient, () => {
  it('in the middle of a run: an error with its code, no process left, and resume completes it', async () => {
    const files = projectFiles();
    const script = `
step run run plan.md
left run
rm filler
echo '{}' >behave.json
step resume resume
step status status --json
cp plan.md "$OUT/plan.md"
`;
    const sample: SampleProject = {
      waves: [['1.1', '1.2'], ['2.1']],
      behave: { '1.2': 'hang' },
      files: { 'worker-itself.mjs': files['worker.mjs'] ?? '', 'worker.mjs': filling },
    };
    const disk = await onDisk('4m', sample, script);
    const run = disk.step('run');
    clean(run);
    expect(run.stderr).toMatch(/^divisi: .*\[LEDGER_FULL\]$/m);
    expect(run.code).toBe(2);
    expect(disk.file('run.left')).toBe('');
    const resumed = disk.step('resume');
    expect({ code: resumed.code, stderr: resumed.stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(disk.step('status').stdout)).toMatchObject({ status: 'completed', counts: { completed: 3 } });
    expect(disk.file('plan.md').match(/\| \[x\] /g)).toHaveLength(3);
  });

  it('before a run: an error with its code, and nothing has changed', async () => {
    const script = `
cp plan.md "$OUT/before.md"
dd if=/dev/zero of=filler bs=1k 2>"$OUT/dd" || true
step run run plan.md
cp plan.md "$OUT/plan.md"
rm filler
step again run plan.md
cp .divisi/.gitignore "$OUT/ignored"
`;
    const disk = await onDisk('1m', {}, script);
    const run = disk.step('run');
    clean(run);
    expect(run.stderr).toMatch(/^divisi: .*\[LEDGER_(FULL|UNWRITABLE)\]$/m);
    expect(run.code).toBe(2);
    expect(disk.file('plan.md')).toBe(disk.file('before.md'));
    expect(disk.step('again').code).toBe(0);
    expect(disk.file('ignored')).toBe('runs/\nerrors.json\n');
  });
});

describe.skipIf(!canMount).concurrent('a read-only disk', patient, () => {
  it('nothing is started, and what was there can be looked at', async () => {
    const script = `
step run run plan.md
mount -o remount,ro "$DISK"
step resume resume
step again run plan.md
step cancel cancel
step approve approve
step status status
step events events
left resume
`;
    const disk = await onDisk('2m', { behave: { '1.1': 'fail' } }, script);
    expect(disk.step('run').code).toBe(5);
    for (const name of ['resume', 'again', 'cancel', 'approve']) {
      clean(disk.step(name));
      expect(disk.step(name).stderr).toMatch(/^divisi: .*\[LEDGER_UNWRITABLE\]$/m);
      expect(disk.step(name).code).toBe(2);
    }
    expect(disk.step('status').stdout).toContain(': paused (checkpoint: 1.1: agent-error: exit code 3: out of luck)\n');
    expect(disk.step('events').stdout).toContain('run.paused');
    expect(disk.file('resume.left')).toBe('');
  });

  const readOnly = 'mount -o remount,bind,ro "$DISK/plans"';

  it('for the plan, at the start: PLAN_UNWRITABLE, nothing is started, and it can be run later', async () => {
    const script = `
mount --bind plans plans
${readOnly}
step run run plans/plan.md
if [ -e said.log ]; then cp said.log "$OUT/said.log"; else : >"$OUT/said.log"; fi
mount -o remount,bind,rw "$DISK/plans"
step again run plans/plan.md
cp plans/plan.md "$OUT/plan.md"
`;
    const disk = await onDisk('2m', { file: 'plans/plan.md' }, script);
    const run = disk.step('run');
    clean(run);
    expect(run.stderr).toMatch(/^divisi: the plan plans\/plan\.md could not be written: EROFS.*\[PLAN_UNWRITABLE\]$/m);
    expect(run.code).toBe(2);
    expect(disk.file('said.log')).toBe('');
    expect(disk.step('again').code).toBe(0);
    expect(disk.file('plan.md')).toContain('| 1.1 | Write the file of 1.1 | [x]');
  });

  it('for the plan, in the middle of a run: a warning, and the run continues', async () => {
    const script = `
mount --bind plans plans
step run run plans/plan.md &
while ! grep -q 'start 1.1' said.log 2>/dev/null; do sleep 0.02; done
# Busy while the plan is being written.
until ${readOnly} 2>/dev/null; do sleep 0.02; done
touch go-on
wait
step status status
`;
    const disk = await onDisk('2m', { file: 'plans/plan.md', behave: { '1.1': 'hold' } }, script);
    const run = disk.step('run');
    clean(run);
    expect(run.stderr).toMatch(/^divisi: the plan plans\/plan\.md could not be written: EROFS.*\[PLAN_UNWRITABLE\]$/m);
    expect(run.code).toBe(0);
    expect(disk.step('status').stdout).toContain(': completed\n');
  });
});

it('a ledger that is removed under a run ends it, and says so', patient, async () => {
  const cwd = folder(projectFiles({ behave: { '1.1': 'hold' } }));
  const running = startDivisi(['run', 'plan.md'], { cwd });
  await until(
    () => said(cwd),
    (seen) => seen.includes('start 1.1 1'),
  );
  for (const end of ['', '-wal', '-shm']) rmSync(`${ledgerFile(cwd)}${end}`, { force: true });
  writeFileSync(join(cwd, 'go-on'), '');
  const { code, stderr } = await running.ended;
  expect(stderr).toContain('[LEDGER_UNWRITABLE]');
  expect(stderr).toContain('removed or exchanged');
  expect(code).toBe(2);
});
