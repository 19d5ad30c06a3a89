/** The commands about runs: how each is used, and what it says when it is used wrongly. */
import { describe, expect, it } from 'vitest';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { divisi } from '../support/divisi.ts';

const folder = temporaryFolders();
const commands = ['run', 'resume', 'pause', 'cancel', 'status', 'show', 'list', 'events', 'logs', 'report'];

describe.concurrent('--help', () => {
  it.each(commands)('divisi %s --help shows an example of it', async (name) => {
    const { code, stdout, stderr } = await divisi([name, '--help'], { cwd: folder() });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Usage: divisi ${name} [options]`);
    expect(stdout).toMatch(new RegExp(`\nExample:\n  divisi ${name}`));
    expect(stdout).toContain('--json ');
  });

  it.each(['run', 'resume'])('divisi %s --help says what signals do, and how it ends', async (name) => {
    const { stdout } = await divisi([name, '--help'], { cwd: folder() });
    expect(stdout).toContain('Ctrl-C: ');
    expect(stdout).toContain('0 completed, 1 failed, 2 usage or unusable input, 3 paused, 4 cancelled');
  });

  it('divisi --help names them all', async () => {
    const { stdout } = await divisi(['--help'], { cwd: folder() });
    for (const name of commands) expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
  });
});

describe.concurrent('a usage mistake: exit 2, nothing on standard output', () => {
  it.each([
    ['run', 'there is nothing to run: no plan was named, and none is waiting here [USAGE]'],
    ['run a.md b.md', 'only one plan can run at a time [USAGE]'],
    ['run --new --resume', '--new and --resume contradict each other [USAGE]'],
    ['resume from wave two', 'two is not the number of a wave [USAGE]'],
    ['run resume from', 'from is not understood [USAGE]'],
    ['run resume --driver x', '--driver: a resumed run keeps its settings [USAGE]'],
    ['logs', "missing required argument 'task'"],
    ['list --follow', "unknown option '--follow'"],
  ])('divisi %s', async (line, message) => {
    const { code, stdout, stderr } = await divisi(line.split(' '), { cwd: folder() });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});
