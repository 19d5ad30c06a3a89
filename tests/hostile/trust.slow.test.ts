/** What a clone can execute (F4, F5, F25): nothing before a person has seen it, whichever command is given first. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stateFolder } from '../../src/workspace/places.ts';
import { gitIn, gitProject } from '../support/committed-project.ts';
import { type Run, divisi, trusted } from '../support/divisi.ts';
import { connect } from '../support/mcp-client.ts';
import { hasTerminal, typeTo } from '../support/on-terminal.ts';
import { type Files, temporaryFolders } from '../support/temporary-folder.ts';

const folder = temporaryFolders();
const noYes = { DIVISI_TRUST: '' };

/** As a person who has said yes to nothing gives it. */
const give = (cwd: string, ...words: string[]): Promise<Run> => divisi(words, { cwd, variables: noYes });

const refused = { code: 2, stderr: expect.stringContaining('[PROJECT_UNTRUSTED]') as string };

/** A plan without commands of its own: all that executes is the project's. */
const plan = '# Plan: Sample\n\n## Wave 1\n\n- [ ] 1.1 Write a file\n';

interface Clone {
  readonly cwd: string;
  /** There once something of the clone was executed. */
  readonly trace: string;
}

function clone(files: (trace: string) => Files): Clone {
  const trace = join(folder(), 'trace');
  return { cwd: gitProject(folder, { files: { 'plan.md': plan, ...files(trace) } }), trace };
}

const config = (trace: string): Files => ({
  '.divisi/config.yaml': `driver: mine
drivers:
  mine: { kind: command, argv: [touch, ${trace}], returns: exit-code }
workspace: { setup: [[touch, ${trace}]], accept: [[touch, ${trace}]] }
`,
});

const commands = [
  ['run', 'plan.md'],
  ['run', 'plan.md', '--json'],
  ['run', 'plan.md', '--detach'],
  ['run', 'people can log in'],
  ['plan', 'people can log in'],
  ['resume'],
  ['try', 'mine', 'Say hello.'],
  ['verify'],
  ['merge'],
  ['update'],
  ['feature', 'log in'],
  ['research', '1'],
  ['implement', '1'],
  ['doctor', '--checks'],
];

describe('a clone that nobody has looked at', () => {
  it('executes nothing, whichever command comes first, and nothing is written (F4)', async () => {
    const { cwd, trace } = clone(config);
    await give(cwd, 'task', 'add', 'Log in');
    const before = gitIn(cwd, 'status', '--porcelain', '--ignored');
    for (const words of commands) {
      const { code, stdout, stderr } = await give(cwd, ...words);
      const said = words.includes('--json') ? stdout : stderr;
      // These look for a run first.
      const isNone = /\[RUN_UNKNOWN\]/.test(stderr) && words[0] === 'update';
      expect([words, code, isNone ? 'PROJECT_UNTRUSTED' : said]).toEqual([
        words,
        2,
        expect.stringContaining('PROJECT_UNTRUSTED'),
      ]);
    }
    expect(existsSync(trace)).toBe(false);
    expect(gitIn(cwd, 'status', '--porcelain', '--ignored')).toBe(before);
    expect(existsSync(join(stateFolder(cwd), 'trust.json'))).toBe(false);
  });

  it('can be looked at: these commands need no yes and execute nothing', async () => {
    const { cwd, trace } = clone(config);
    await give(cwd, 'trust', '--yes');
    expect((await give(cwd, 'run', 'plan.md', '--mode', 'auto')).stderr).not.toContain('PROJECT_UNTRUSTED');
    rmSync(trace, { force: true });
    await give(cwd, 'trust', '--revoke');
    for (const words of [['status'], ['report'], ['diff'], ['logs', '1.1'], ['list'], ['show'], ['events']]) {
      expect((await give(cwd, ...words)).stderr).not.toContain('PROJECT_UNTRUSTED');
    }
    expect((await give(cwd, 'run', 'plan.md', '--mode', 'plan')).code).toBe(0);
    expect(existsSync(trace)).toBe(false);
    expect(await give(cwd, 'resume')).toMatchObject(refused);
  });

  it.each<[string, Files]>([
    ['an agent', { '.divisi/agents/worker.md': '---\nname: worker\n---\nObey.\n' }],
    ['a contract', { '.divisi/contracts/mine.yaml': 'name: mine\n' }],
    ['hooks of Claude Code', { '.claude/settings.json': '{"hooks":{"SessionStart":[]}}' }],
    ['MCP servers', { '.mcp.json': '{"mcpServers":{}}' }],
    ['settings of Codex', { '.codex/config.toml': 'notify = ["touch"]\n' }],
    ['a plugin of OpenCode', { '.opencode/plugin/x.js': 'export default 1\n' }],
    ['the set-up of a lock file', { 'package-lock.json': '{}', 'package.json': '{}' }],
    ['links into the checkout', { '.divisi/config.yaml': 'workspace: { link: [data] }\n', 'data/x': '' }],
    ['variables for commands', { '.divisi/config.yaml': 'workspace: { environment: [AWS_SECRET_ACCESS_KEY] }\n' }],
  ])('is shown and asked about: %s', async (_, files) => {
    const cwd = gitProject(folder, { files });
    const [path = ''] = Object.keys(files);
    expect((await give(cwd, 'trust', '--paths')).stdout).toContain(path);
    expect((await give(cwd, 'run', 'plan.md')).stderr).toContain(`can execute: ${path}`);
  });

  it('with nothing that executes is not asked about', async () => {
    const files = {
      '.divisi/config.yaml': 'driver: claude\nconcurrency: 2\n# nothing else\n',
      '.divisi/plans/p.md': plan,
    };
    const cwd = gitProject(folder, { files });
    expect(await give(cwd, 'trust', '--yes')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('nothing that can') as string,
    });
    expect(existsSync(join(stateFolder(cwd), 'trust.json'))).toBe(false);
    expect((await give(cwd, 'trust', '--paths')).stdout).toBe('');
  });

  it('cannot take the name of a built-in driver', async () => {
    const { cwd } = clone(() => ({
      '.divisi/config.yaml': 'drivers: { claude: { kind: command, argv: [touch, x] } }\n',
    }));
    const { code, stderr } = await give(cwd, 'trust', '--yes');
    expect([code, stderr]).toEqual([2, expect.stringContaining('claude is built in')]);
  });
});

describe('a yes', () => {
  it('holds for exactly what was seen', async () => {
    const { cwd, trace } = clone(config);
    expect((await give(cwd, 'trust', '--yes')).stdout).toContain(
      `drivers.mine: {"kind":"command","argv":["touch","${trace}"]`,
    );
    expect((await give(cwd, 'run', 'plan.md', '--mode', 'auto')).stderr).not.toContain('PROJECT_UNTRUSTED');
    expect(existsSync(trace)).toBe(true);
    const file = join(cwd, '.divisi/config.yaml');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, `${text}# a comment\ngrace: 2\n`);
    expect((await give(cwd, 'verify')).stderr).not.toContain('PROJECT_UNTRUSTED');
    writeFileSync(file, text.replace('accept: [[touch', 'accept: [[rm'));
    expect(await give(cwd, 'verify')).toMatchObject(refused);
    expect((await give(cwd, 'trust', '--show')).stdout).toContain('.divisi/config.yaml (changed)');
    writeFileSync(file, text);
    writeFileSync(join(cwd, '.mcp.json'), '{}');
    expect(await give(cwd, 'verify')).toMatchObject(refused);
    expect((await give(cwd, 'trust', '--show')).stdout).toContain('.mcp.json (new)');
  });

  it('is for one path: a copy of the project and its state has none', async () => {
    const { cwd } = clone(config);
    await give(cwd, 'trust', '--yes');
    const other = gitProject(folder, { files: { 'plan.md': plan } });
    mkdirSync(stateFolder(other), { recursive: true, mode: 0o700 });
    for (const file of ['.divisi/config.yaml']) writeFileSync(join(other, file), readFileSync(join(cwd, file)));
    writeFileSync(join(stateFolder(other), 'trust.json'), readFileSync(join(stateFolder(cwd), 'trust.json')));
    expect(await give(other, 'run', 'plan.md')).toMatchObject(refused);
  });

  it('of CI is the hash of what was seen', async () => {
    const { cwd } = clone(config);
    const { DIVISI_TRUST = '' } = trusted(cwd);
    expect((await give(cwd, 'trust', '--show')).stdout).toContain(`hash ${DIVISI_TRUST}: nobody`);
    const verify = (hash: string): Promise<Run> => divisi(['verify'], { cwd, variables: { DIVISI_TRUST: hash } });
    expect((await verify(DIVISI_TRUST)).stderr).toContain('RUN_UNKNOWN');
    expect(await verify(DIVISI_TRUST.slice(1))).toMatchObject(refused);
    expect(await verify('1')).toMatchObject(refused);
  });

  it.runIf(hasTerminal)('is asked for on a terminal, once; a no writes nothing', async () => {
    const { cwd, trace } = clone(config);
    const no = await typeTo(['run', 'plan.md'], cwd, ['\n'], noYes);
    expect(no).toMatchObject({ code: 2, shown: expect.stringContaining('nothing was started') as string });
    expect(no.shown).toContain(`workspace.setup: touch ${trace}`);
    expect([existsSync(trace), existsSync(stateFolder(cwd))]).toEqual([false, false]);
    const yes = await typeTo(['run', 'plan.md', '--mode', 'auto'], cwd, ['1\n'], noYes);
    expect(yes.shown).toContain('This project brings files that can execute');
    expect(existsSync(trace)).toBe(true);
    expect((await typeTo(['verify'], cwd, [], noYes)).shown).not.toContain('can execute');
  });
});

describe('a model that names a plan', () => {
  const withCommand = `${plan}\n  Accept: \`true\`\n`;

  it('gets one form for the plan and the project, and one hash for both (F5)', async () => {
    const { cwd, trace } = clone((at) => ({ ...config(at), 'plan.md': withCommand }));
    const forms: string[] = [];
    const { call, close } = await connect({
      cwd,
      args: [],
      variables: noYes,
      person: (message) => {
        forms.push(message);
        return forms.length === 1 ? { action: 'decline' } : { action: 'accept', content: { commands: 'run' } };
      },
    });
    expect(await call('run', { plan: 'plan.md' })).toContain('declined');
    expect([existsSync(trace), existsSync(join(stateFolder(cwd), 'trust.json'))]).toEqual([false, false]);
    expect(forms[0]).toContain(`workspace.setup: touch ${trace}`);
    await call('run', { plan: 'plan.md' });
    expect(existsSync(trace)).toBe(true);
    await close();
  });

  it('cannot run what it wrote into the config meanwhile (F5)', async () => {
    const { cwd, trace } = clone(() => ({ 'plan.md': withCommand, '.divisi/config.yaml': 'driver: claude\n' }));
    const { call, close } = await connect({ cwd, args: [], variables: noYes });
    writeFileSync(join(cwd, '.divisi/config.yaml'), config(trace)['.divisi/config.yaml'] ?? '');
    const said = await call('run', { plan: 'plan.md' }, { isError: true });
    expect(said).toContain('PROJECT_UNTRUSTED');
    expect(said).not.toContain('config.yaml to');
    expect(existsSync(trace)).toBe(false);
    await close();
  });

  it('gets no yes from a host that accepts forms by itself', async () => {
    const { cwd, trace } = clone(config);
    const { call, close } = await connect({
      cwd,
      args: [],
      variables: noYes,
      person: () => ({ action: 'accept', content: {} }),
    });
    expect(await call('run', { plan: 'plan.md' }, { isError: true })).toContain('PROJECT_UNTRUSTED');
    expect(existsSync(trace)).toBe(false);
    await close();
  });
});

describe('a file of the project that is no file (F25)', () => {
  const places: readonly (readonly [at: string, code: string, commands: readonly string[]])[] = [
    ['.divisi/config.yaml', 'CONFIG_INVALID', ['run plan.md', 'agents', 'trust --show', 'task list']],
    ['.divisi/contracts/mine.yaml', 'CONTRACT_FILE_INVALID', ['run plan.md', 'agents']],
  ];

  it.each<[string, (file: string) => void]>([
    ['a pipe', (file) => execFileSync('sh', ['-c', 'mkfifo "$0"', file])],
    ['a link to an endless device', (file) => symlinkSync('/dev/zero', file)],
    ['a link out of the project', (file) => symlinkSync(join(folder({ x: 'grace: 1\n' }), 'x'), file)],
    ['a folder', (file) => mkdirSync(file)],
  ])('is refused at once: %s', { timeout: 30_000 }, async (_, make) => {
    for (const [at, code, commands] of places) {
      const cwd = gitProject(folder);
      const file = join(cwd, at);
      rmSync(file, { force: true });
      mkdirSync(dirname(file), { recursive: true });
      make(file);
      for (const words of commands) {
        const said = await divisi(words.split(' '), { cwd });
        expect([words, said.code, said.stderr]).toEqual([words, 2, expect.stringContaining(code)]);
      }
    }
  });
});
