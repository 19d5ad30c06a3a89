/** How the command is used, and what it says when it is used wrongly. */
import { describe, expect, it } from 'vitest';
import packageFile from '../../package.json' with { type: 'json' };
import { failure } from '../support/answers.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { tutti } from '../support/tutti.ts';

const folder = temporaryFolders();

const commands = [
  '',
  'contract',
  'contract list',
  'contract show',
  'contract prompt',
  'contract check',
  'contract repair',
  'packet',
  'packet check',
  'packet prompt',
];

const words = (line: string): string[] => line.split(' ').filter((word) => word !== '');

describe.concurrent('--help', () => {
  it.each(commands)('tutti %s --help shows an example of it', async (command) => {
    const { code, stdout, stderr } = await tutti([...words(command), '--help'], { cwd: folder() });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Usage: ${['tutti', ...words(command)].join(' ')} `);
    expect(stdout).toMatch(new RegExp(`\nExample:\n  .*tutti ${command}`));
    const takesJson = words(command).length === 2;
    expect(stdout.includes('--json ')).toBe(takesJson);
  });

  it('tutti help contract says the same as tutti contract --help', async () => {
    const [asked, flagged] = await Promise.all([
      tutti(['help', 'contract'], { cwd: folder() }),
      tutti(['contract', '--help'], { cwd: folder() }),
    ]);
    expect(asked).toEqual(flagged);
  });

  it('--version', async () => {
    expect(await tutti(['--version'], { cwd: folder() })).toEqual({ code: 0, stdout: `${packageFile.version}\n`, stderr: '' });
  });
});

describe.concurrent('a usage mistake: exit 2, nothing on standard output', () => {
  it.each([
    ['', 'Usage: tutti'],
    ['contract', 'Usage: tutti contract'],
    ['packet', 'Usage: tutti packet'],
    ['nonsense', "unknown command 'nonsense'"],
    ['contract nonsense', "unknown command 'nonsense'"],
    ['packet nonsense', "unknown command 'nonsense'"],
    ['contract check', "missing required argument 'name'"],
    ['contract show', "missing required argument 'name'"],
    ['contract list extra', 'too many arguments'],
    ['contract check wave-review a b', 'too many arguments'],
    ['contract list --nonsense', "unknown option '--nonsense'"],
    ['contract check wave-review --root', 'argument missing'],
    ['--nonsense', "unknown option '--nonsense'"],
  ])('tutti %s', async (line, message) => {
    const { code, stdout, stderr } = await tutti(words(line), { cwd: folder() });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});

describe.concurrent('input that cannot be used: exit 2, an error with its code', () => {
  const cases: readonly [line: string, code: string, message: string][] = [
    ['contract check wave-review nothing.txt', 'INPUT_UNREADABLE', 'nothing.txt cannot be read'],
    ['contract check wave-review folder', 'INPUT_UNREADABLE', 'folder cannot be read'],
    ['contract repair wave-review nothing.txt', 'INPUT_UNREADABLE', 'nothing.txt cannot be read'],
    ['packet check nothing.json', 'INPUT_UNREADABLE', 'nothing.json cannot be read'],
    ['packet prompt nothing.json', 'INPUT_UNREADABLE', 'nothing.json cannot be read'],
    ['contract check nobody a.txt', 'CONTRACT_UNKNOWN', 'there is no contract named nobody'],
    ['contract show nobody', 'CONTRACT_UNKNOWN', 'there is no contract named nobody'],
    ['contract prompt toolkit:nobody', 'CONTRACT_UNKNOWN', 'there is no contract named toolkit:nobody'],
    ['contract repair constructor a.txt', 'CONTRACT_UNKNOWN', 'there is no contract named constructor'],
    ['contract check wave-review a.txt --root nowhere', 'USAGE', '--root nowhere is not a folder'],
    ['contract repair wave-review a.txt --root a.txt', 'USAGE', '--root a.txt is not a folder'],
  ];

  it.each(cases)('tutti %s', async (line, code, message) => {
    const cwd = folder({ 'a.txt': 'x', 'folder/b.txt': 'x' });
    const [text, json] = await Promise.all([tutti(words(line), { cwd }), tutti([...words(line), '--json'], { cwd })]);

    expect({ code: text.code, stdout: text.stdout }).toEqual({ code: 2, stdout: '' });
    expect(text.stderr).toMatch(new RegExp(`^tutti: .*${message}.* \\[${code}\\]\n`));
    expect(text.stderr).not.toMatch(/\n\s+at /);

    expect({ code: json.code, stderr: json.stderr }).toEqual({ code: 2, stderr: '' });
    const { error } = failure.parse(JSON.parse(json.stdout));
    expect(error.code).toBe(code);
    expect(error.message).toContain(message);
    expect(text.stderr).toContain(error.next);
  });

  it('more than 64 MiB', async () => {
    const { code, stdout, stderr } = await tutti(['contract', 'check', 'wave-review', '-'], {
      cwd: folder(),
      input: Buffer.alloc(65 * 1024 * 1024, 'x'),
    });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('[INPUT_TOO_LARGE]');
  });
});
