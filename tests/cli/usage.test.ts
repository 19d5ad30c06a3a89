/** Command-line usage, and the answers to wrong usage. */
import { describe, expect, it } from 'vitest';
import packageFile from '../../package.json' with { type: 'json' };
import { failure } from '../support/answers.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { divisi } from '../support/divisi.ts';

const folder = temporaryFolders();

const commands = [
  '',
  'contract',
  'contract list',
  'contract show',
  'contract prompt',
  'contract check',
  'contract repair',
  'assignment',
  'assignment check',
  'assignment prompt',
];

const words = (line: string): string[] => line.split(' ').filter((word) => word !== '');

describe('--help', () => {
  it.each(commands)('divisi %s --help shows an example of it', async (command) => {
    const { code, stdout, stderr } = await divisi([...words(command), '--help'], { cwd: folder() });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Usage: ${['divisi', ...words(command)].join(' ')} `);
    expect(stdout).toMatch(new RegExp(`\nExample:\n  .*divisi ${command}`));
    const takesJson = words(command).length === 2;
    expect(stdout.includes('--json ')).toBe(takesJson);
  });

  it('--version', async () => {
    expect(await divisi(['--version'], { cwd: folder() })).toEqual({
      code: 0,
      stdout: `${packageFile.version}\n`,
      stderr: '',
    });
  });
});

describe('a usage mistake: exit 2, nothing on standard output', () => {
  it.each([
    ['', 'Usage: divisi'],
    ['contract', 'Usage: divisi contract'],
    ['nonsense', "unknown command 'nonsense'"],
    ['contract nonsense', "unknown command 'nonsense'"],
    ['contract check', "missing required argument 'name'"],
    ['contract check wave-review a b', 'too many arguments'],
    ['contract list --nonsense', "unknown option '--nonsense'"],
    ['contract check wave-review --root', 'argument missing'],
  ])('divisi %s', async (line, message) => {
    const { code, stdout, stderr } = await divisi(words(line), { cwd: folder() });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});

describe('a usage mistake with --json: exit 2, an error on standard output', () => {
  it.each([
    ['--json', "unknown option '--json'"],
    ['contract --json', "unknown option '--json'"],
    ['nonsense --json', "unknown command 'nonsense'"],
    ['help nonsense --json', 'no known command was given'],
    ['lst --json', "unknown command 'lst'\n(Did you mean list?)"],
    ['list --json --nonsense', "unknown option '--nonsense'"],
    ['contract check --json', "missing required argument 'name'"],
    ['list --json a', "too many arguments for 'list'. Expected 0 arguments but got 1: a."],
  ])('divisi %s', async (line, message) => {
    const { code, stdout, stderr } = await divisi(words(line), { cwd: folder() });
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    const { error } = failure.parse(JSON.parse(stdout));
    expect(error.code).toBe('USAGE');
    expect(error.message).toContain(message);
  });

  it('--json behind -- is not an option', async () => {
    const { code, stdout, stderr } = await divisi(['nonsense', '--', '--json'], { cwd: folder() });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain("unknown command 'nonsense'");
  });

  it('--help is not a mistake', async () => {
    const { code, stdout, stderr } = await divisi(['list', '--json', '--help'], { cwd: folder() });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: divisi list /);
  });
});

describe('input that cannot be used: exit 2, an error with its code', () => {
  const files = { 'a.txt': 'x', 'folder/b.txt': 'x' };

  it.each([
    ['contract check wave-review nothing.txt', 'INPUT_UNREADABLE', 'nothing.txt cannot be read'],
    ['contract repair wave-review folder', 'INPUT_UNREADABLE', 'folder cannot be read'],
    ['assignment check nothing.json', 'INPUT_UNREADABLE', 'nothing.json cannot be read'],
    ['contract check nobody a.txt', 'CONTRACT_UNKNOWN', 'unknown contract nobody'],
    ['contract show constructor', 'CONTRACT_UNKNOWN', 'unknown contract constructor'],
    ['contract check wave-review a.txt --root nowhere', 'USAGE', '--root nowhere is not a folder'],
  ])('divisi %s', async (line, code, message) => {
    const { code: exit, stdout, stderr } = await divisi(words(line), { cwd: folder(files) });
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect(stderr).toMatch(new RegExp(`^divisi: .*${message}.* \\[${code}\\]\n`));
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it.each([
    ['assignment prompt nothing.json --json', 'INPUT_UNREADABLE', 'nothing.json cannot be read'],
    ['contract prompt toolkit:nobody --json', 'CONTRACT_UNKNOWN', 'unknown contract toolkit:nobody'],
    ['contract repair wave-review a.txt --root a.txt --json', 'USAGE', '--root a.txt is not a folder'],
  ])('divisi %s, on standard output', async (line, code, message) => {
    const { code: exit, stdout, stderr } = await divisi(words(line), { cwd: folder(files) });
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: '' });
    const { error } = failure.parse(JSON.parse(stdout));
    expect(error.code).toBe(code);
    expect(error.message).toContain(message);
  });

  it('more than 64 MiB', async () => {
    const { code, stdout, stderr } = await divisi(['contract', 'check', 'wave-review', '-'], {
      cwd: folder(),
      input: Buffer.alloc(65 * 1024 * 1024, 'x'),
    });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('[INPUT_TOO_LARGE]');
  });
});
