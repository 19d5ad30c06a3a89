/** `divisi init`: what it writes, and what it leaves alone. */
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/parse-config.ts';
import { deadlines } from '../../src/delegation/deadline.ts';
import { fakePrograms } from '../support/fake-programs.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { type Run, divisi } from '../support/divisi.ts';

const folder = temporaryFolders();
const file = '.divisi/config.yaml';

async function init(cwd: string, programs: Readonly<Record<string, string>> = {}, ...more: string[]): Promise<Run> {
  const variables = { PATH: fakePrograms(join(folder(), 'bin'), programs) };
  return divisi(['init', ...more], { cwd, variables });
}

const textIn = (cwd: string): string => readFileSync(join(cwd, file), 'utf8');

describe('divisi init', () => {
  it('writes a config that is valid, and one of which every setting is', async () => {
    const cwd = folder();
    const { code, stdout } = await init(cwd);
    expect([code, stdout]).toEqual([0, expect.stringContaining('no agent program was found')]);
    const text = textIn(cwd);
    expect(parseConfig(text, file, deadlines)).toEqual(parseConfig('', file, deadlines));
    const all = parseConfig(text.replaceAll(/^#(?! \S)/gm, ''), file, deadlines);
    expect(Object.keys(all.deadlines)).toEqual(Object.keys(deadlines));
    expect(existsSync(join(cwd, '.divisi/.gitignore'))).toBe(true);
    expect(existsSync(join(cwd, '.gitignore'))).toBe(false);
  });

  it('takes the first program that is installed, without starting it', async () => {
    const cwd = folder();
    const started = join(folder(), 'started');
    const programs = { gemini: `echo > ${started}`, 'codex-acp': `echo > ${started}` };
    const { stdout } = await init(cwd, programs, '--json');
    expect(JSON.parse(stdout)).toEqual({ file: join(cwd, file), written: true, driver: 'codex', existing: [] });
    expect(parseConfig(textIn(cwd), file, deadlines).driver).toBe('codex');
    expect(existsSync(started)).toBe(false);
  });

  it('proposes set-up, checks and local files for what it finds, as comments', async () => {
    const cwd = folder({
      'package.json': '{"scripts":{"test":"vitest","typecheck":"tsc"}}',
      'package-lock.json': '{}',
      '.env': '',
      '.env.example': '',
    });
    const { stdout } = await init(cwd);
    expect(stdout).toContain('each room is set up with npm ci (package-lock.json)\n');
    expect(stdout).toContain(
      'proposed, as a comment: accept npm test && npm run typecheck\nproposed, as a comment: copy .env\n',
    );
    expect(parseConfig(textIn(cwd), file, deadlines)).toEqual(parseConfig('', file, deadlines));
    const { workspace } = parseConfig(textIn(cwd).replaceAll(/^#(?! \S)/gm, ''), file, deadlines);
    expect([workspace.setup, workspace.accept, workspace.copy]).toEqual([
      [['npm', 'ci']],
      [
        ['npm', 'test'],
        ['npm', 'run', 'typecheck'],
      ],
      ['.env'],
    ]);
  });

  it.each(['driver: command\n', '', 'no config: ['])('leaves %j as it is', async (text) => {
    const cwd = folder({ '.git/HEAD': 'ref: refs/heads/main\n', [file]: text, 'src/deep/a.ts': '' });
    const { code, stdout } = await init(join(cwd, 'src/deep'), { 'codex-acp': '' });
    expect([code, stdout]).toEqual([0, `.divisi/config.yaml already exists in ${cwd}; nothing was changed\n`]);
    expect(textIn(cwd)).toBe(text);
    const again = await init(cwd, {}, '--json');
    expect(JSON.parse(again.stdout)).toEqual({ file: join(cwd, file), written: false, driver: null, existing: [] });
  });

  it('writes through no link', async () => {
    const [cwd, outside] = [folder(), folder()];
    mkdirSync(join(cwd, '.divisi'));
    symlinkSync(join(outside, 'made'), join(cwd, file));
    expect((await init(cwd)).stdout).toContain('already exists');
    expect(existsSync(join(outside, 'made'))).toBe(false);
    const other = folder();
    symlinkSync(outside, join(other, '.divisi'));
    const { code, stderr } = await init(other);
    expect([code, stderr]).toEqual([2, expect.stringContaining('PATH_OUTSIDE')]);
    expect(existsSync(join(outside, 'config.yaml'))).toBe(false);
  });

  it('names what other programs left, and continues where an agent of ours has a fault', async () => {
    const cwd = folder({ '.swarm/a-paused.md': '', '.claude/agents/a.md': 'note', '.divisi/agents/a.md': 'bad' });
    expect((await init(cwd)).stdout).toContain('\n.swarm: 1 plan; `divisi run` lists');
    const existing = [
      { path: '.swarm', use: expect.stringContaining('1 plan') as string },
      { path: '.claude/agents', use: 'not read: see the fault of agents and contracts' },
    ];
    expect(JSON.parse((await init(cwd, {}, '--json')).stdout)).toMatchObject({ existing });
  });

  it('says why it cannot write', async () => {
    const { code, stderr } = await init(folder({ '.divisi': 'a file' }));
    expect([code, stderr]).toEqual([2, expect.stringContaining('LEDGER_UNWRITABLE')]);
  });
});
