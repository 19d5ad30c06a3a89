/** Attempts that bring nothing at first: refused again and again, out of time, failed, or without what they say they made. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  changedOn,
  checkoutOf,
  commitsOf,
  gitProject,
  type GitSample,
  seenBy,
  startsIn,
  tell,
  divisiTo,
  verdictsOf,
  roomsLeft,
} from '../support/git-project.ts';
import { promptsOf } from '../support/project.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const folder = temporaryFolders();
const patient = { timeout: 120_000 };
const project = (sample: GitSample): string => gitProject(folder(), sample);

describe.concurrent('an attempt that did not get to its end', patient, () => {
  it('is continued after a timeout, and started over after a failure of the agent', async () => {
    const cwd = project({
      settings: ['Deadline: 4s'],
      waves: [['1.1', '1.2']],
      acts: {
        '1.1': [
          { write: { 'part.txt': 'x' }, run: [['sleep', '100']] },
          { write: { 'rest.txt': 'x' }, claims: { 'part.txt': 'create', 'rest.txt': 'create' } },
        ],
        '1.2': [{ write: { 'part-2.txt': 'x' }, exits: 3 }, { write: { 'rest-2.txt': 'x' } }],
      },
    });
    await divisiTo(0, cwd, 'run', 'plan.md');
    expect(seenBy(cwd, '1.1', 2)).toContain('part.txt');
    expect(seenBy(cwd, '1.2', 2)).not.toContain('part-2.txt');
    expect(changedOn(cwd)).toEqual(['A part.txt', 'A rest-2.txt', 'A rest.txt']);
    expect(['1.1', '1.2'].map((task) => verdictsOf(cwd, task).join())).toEqual(['verified', 'verified']);
  });
});

describe.concurrent('an attempt that never began', patient, () => {
  it('does not lose what the one before it left', async () => {
    const switchedOff = join(folder(), 'no-set-up');
    // The branch has moved since: the next attempt needs a new room.
    const after = { afterMerge: '1.2', run: [['touch', switchedOff]] } as const;
    const lie = { ...after, write: { 'part.txt': 'x' }, claims: { 'README.md': 'edit' } } as const;
    const cwd = project({
      waves: [['1.1', '1.2']],
      config: `workspace:\n  setup: [[test, '!', -e, '${switchedOff}']]\n`,
      acts: { '1.1': [lie, {}, { claims: { 'part.txt': 'create' } }] },
    });
    expect(await divisiTo(5, cwd, 'run', 'plan.md')).toContain('the set-up command test');
    expect(startsIn(cwd).filter((start) => start.startsWith('1.1'))).toEqual(['1.1 1']);
    rmSync(switchedOff);
    await divisiTo(0, cwd, 'approve');
    await divisiTo(0, cwd, 'resume');
    expect(seenBy(cwd, '1.1', 3)).toContain('part.txt');
    expect(changedOn(cwd)).toEqual(['A 1.2.txt', 'A part.txt']);
  });
});

describe.concurrent('an attempt in the room of the one before', patient, () => {
  it('finds no report in its place, and no link that leads out', async () => {
    const outside = folder();
    const link = `cd .divisi/runs/"$DIVISI_RUN" && rm -rf worklogs && ln -s '${outside}' worklogs`;
    const plant = `echo stale > "$DIVISI_REPORT_PATH" && ${link}`;
    const lie = { write: { '1.1.txt': 'x' }, claims: { 'README.md': 'edit' }, run: [['sh', '-c', plant]] } as const;
    const clean = { claims: { '1.1.txt': 'create' }, run: [['sh', '-c', 'test ! -e "$DIVISI_REPORT_PATH"']] } as const;
    const cwd = project({ waves: [['1.1']], acts: { '1.1': [lie, clean] } });
    await divisiTo(0, cwd, 'run', 'plan.md');
    expect(startsIn(cwd).filter((start) => start.startsWith('1.1'))).toEqual(['1.1 1', '1.1 2']);
    expect(verdictsOf(cwd, '1.1').at(-1)).toBe('verified');
    expect(readdirSync(outside)).toEqual([]);
  });
});

describe.concurrent('work that is refused again and again', patient, () => {
  it('goes to a stronger agent, then to a person, whose words are passed on', async () => {
    const lie = { write: { '1.1.txt': 'x' }, claims: { '1.1.txt': 'create', 'README.md': 'edit' } } as const;
    const cwd = project({ waves: [['1.1']], acts: { '1.1': lie } });
    const before = checkoutOf(cwd);
    const output = await divisiTo(5, cwd, 'run', 'plan.md');
    expect(output).toContain('1.1 escalated to tier deep\n');
    expect(output).toMatch(
      /needs you: 1\.1: verification-failed: .*claimed: edited README\.md; found: it is unchanged/,
    );
    expect(startsIn(cwd)).toEqual(['1.1 1', '1.1 2', '1.1 3', '1.1 4', '1.1 5', '1.1 6']);
    // Kept for inspection.
    expect(roomsLeft(cwd)).toContain('1.1');
    expect(output).toMatch(/or: cd "\$\(divisi path run_\w+\/1\.1\)" /);
    expect(commitsOf(cwd)).toEqual([]);
    // What was refused is no one's file.
    expect(output).not.toMatch(/^ *files: /m);
    expect(readFileSync(join(cwd, 'plan.md'), 'utf8')).not.toContain('## Files Modified');

    tell(cwd, { '1.1': { claims: { '1.1.txt': 'create' } } });
    await divisiTo(0, cwd, 'approve', '--note', 'Leave the README alone.');
    await divisiTo(0, cwd, 'resume');
    expect(promptsOf(cwd, '1.1').at(-1)).toContain('- Leave the README alone.');
    expect(verdictsOf(cwd, '1.1').at(-1)).toBe('verified');
    expect(changedOn(cwd)).toEqual(['A 1.1.txt']);
    expect(roomsLeft(cwd)).toEqual([]);
    expect(checkoutOf(cwd)).toEqual(before);
  });

  it('is not taken over by a yes to its form alone', async () => {
    const cwd = project({
      waves: [['1.1']],
      acts: { '1.1': { write: { '1.1.txt': 'x' }, link: { out: '/etc/hostname' } } },
    });
    expect(await divisiTo(5, cwd, 'run', 'plan.md')).toContain('contract-violation');
    await divisiTo(0, cwd, 'approve');
    tell(cwd, { '1.1': { delete: ['out'], claims: { '1.1.txt': 'create' } } });
    expect(await divisiTo(0, cwd, 'resume')).toContain('1.1 rejected: a symlink that leads out of the project: out');
    expect(changedOn(cwd)).toEqual(['A 1.1.txt']);
  });
});

describe.concurrent('artifacts', patient, () => {
  it('that are missing, empty or outside are not accepted', async () => {
    const cwd = project({
      waves: [['1.1', '1.2', '1.3'].map((id) => ({ id, agent: 'researcher' }))],
      acts: {
        '1.1': { artifacts: ['found/nothing.md'] },
        '1.2': { write: { 'found/empty.md': '' }, artifacts: ['found/empty.md'] },
        '1.3': { link: { 'found/out.md': '/etc/hostname' }, artifacts: ['found/out.md'] },
      },
    });
    const before = checkoutOf(cwd);
    const output = await divisiTo(5, cwd, 'run', 'plan.md');
    expect(output).toMatch(
      /1\.1 blocked in .*\[artifact-missing\]: expected a file that exists; got found\/nothing\.md\n/,
    );
    expect(output).toMatch(
      /1\.2 blocked in .*\[artifact-empty\]: expected a file that is not empty; got found\/empty\.md\n/,
    );
    expect(output).toMatch(/1\.3 blocked in .*\[artifact-outside\]: .*; got found\/out\.md \(a symlink leads out\)\n/);
    expect(commitsOf(cwd)).toEqual([]);
    expect(checkoutOf(cwd)).toEqual(before);
  });
});
