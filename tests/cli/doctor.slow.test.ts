/** `divisi doctor`: what it finds, and what it never shows. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { builtInAgents } from '../../src/agents/built-in-agents.ts';
import { describe, expect, it } from 'vitest';
import packageFile from '../../package.json' with { type: 'json' };
import { nodeCheck, oldestNode } from '../../src/cli/set-up/doctor-node.ts';
import { diskState } from '../../src/cli/set-up/doctor-project.ts';
import { findProgram } from '../../src/process/find-program.ts';
import { canConfine } from '../support/can-confine.ts';
import { fakePrograms } from '../support/fake-programs.ts';
import { git, makeRepository, put } from '../support/git-project.ts';
import { shapeOf } from '../support/shape.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { divisi } from '../support/divisi.ts';

const folder = temporaryFolders();

/** What a machine has beside agents: whichever of those are installed here, the test is not about them. */
async function systemTools(): Promise<string> {
  const at = folder();
  for (const name of ['git', 'sh', 'bwrap']) {
    const found = await findProgram(name, { PATH: process.env['PATH'] }, '/');
    if (found !== undefined) symlinkSync(found, join(at, name));
  }
  return at;
}

interface Shown {
  readonly ok: boolean;
  readonly checks: readonly { name: string; status: string; found: string; next: string | null }[];
}

interface Around {
  readonly cwd: string;
  readonly programs?: Readonly<Record<string, string>>;
  readonly variables?: Readonly<Record<string, string>>;
  /** Behind the folder with the programs. */
  readonly path?: string;
}

async function doctor(around: Around): Promise<{ code: number | null; shown: Shown; lines: string[]; all: string }> {
  const { cwd, programs = { 'claude-agent-acp': 'echo 0.99.0' }, path = await systemTools() } = around;
  const PATH = `${fakePrograms(join(folder(), 'bin'), programs)}:${path}`;
  const variables = { PATH, ANTHROPIC_API_KEY: 'a-dummy-value', ...around.variables };
  const [json, text] = await Promise.all([
    divisi(['doctor', '--json'], { cwd, variables }),
    divisi(['doctor'], { cwd, variables }),
  ]);
  expect(text.code).toBe(json.code);
  const shown = JSON.parse(json.stdout) as Shown;
  const lines = shown.checks.map(({ status, name, found }) => `${status} ${name}: ${found}`);
  return { code: json.code, shown, lines, all: json.stdout + json.stderr + text.stdout + text.stderr };
}

const repository = (files: Record<string, string> = {}): string => {
  const cwd = folder({ 'a.txt': 'a', ...files });
  makeRepository(cwd);
  return cwd;
};

describe('divisi doctor', () => {
  it.skipIf(!canConfine)('has nothing to say where all is well', async () => {
    const cwd = repository({ '.divisi/config.yaml': 'driver: claude\n' });
    const { code, shown, all } = await doctor({ cwd });
    expect(shown.checks.filter(({ status }) => status !== 'ok')).toEqual([]);
    expect([code, shown.ok]).toEqual([0, true]);
    expect(shown.checks.map(({ name }) => name)).toEqual([
      'node',
      'git',
      'repository',
      'rooms',
      'set-up',
      'confinement',
      '.divisi',
      'disk',
      'processes',
      'config',
      'agents and contracts',
      'programs',
      'claude key',
      ...(process.getuid?.() === 0 ? ['claude as root'] : []),
      'driver',
    ]);
    expect(all).toContain('ready to run');
    expect(git(cwd, 'status', '--porcelain')).toBe('');
    expect(shapeOf(shown)).toEqual({
      ok: true,
      checks: [{ name: 'string', status: 'string', found: 'string', next: 'null' }],
    });
  });

  it('names a program that set-up needs and that is not installed', async () => {
    const { code, lines } = await doctor({ cwd: repository({ 'uv.lock': 'version = 1\n' }) });
    expect(lines).toContain('problem set-up: uv sync --locked (because of uv.lock): uv was not found on the PATH');
    expect(code).toBe(1);
  });

  it('names keys, and shows none', async () => {
    const variables = { ANTHROPIC_AUTH_TOKEN: 'another-dummy-value', ANTHROPIC_BASE_URL: '' };
    const { lines, all } = await doctor({ cwd: repository(), variables });
    expect(lines).toContain('ok claude key: ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN are set');
    expect(all).not.toContain('dummy-value');
    const without = await doctor({ cwd: repository(), variables: { ANTHROPIC_API_KEY: '' } });
    expect(without.code).toBe(0);
    expect(without.lines).toContain('warn claude key: no key is set (ANTHROPIC_*, CLAUDE_CODE_OAUTH_TOKEN)');
  });

  it('works where there is neither git nor a program', async () => {
    const { code, lines, all } = await doctor({ cwd: folder(), programs: {}, path: '/nowhere' });
    expect(code).toBe(1);
    expect(lines).toEqual(
      expect.arrayContaining([
        'problem git: git was not found',
        'problem programs: no known program is on the PATH',
        expect.stringContaining('ok .divisi: not created yet'),
      ]),
    );
    expect(all).toContain('2 problems');
  });

  it('refuses an old git', async () => {
    const { code, lines } = await doctor({ cwd: folder(), programs: { git: 'echo git version 2.37.9' } });
    expect([code, lines]).toEqual([1, expect.arrayContaining(['problem git: this git is too old'])]);
  });

  it('tells a repository without a commit from no repository', async () => {
    const empty = folder();
    git(empty, 'init', '--quiet');
    const [without, none] = await Promise.all([doctor({ cwd: empty }), doctor({ cwd: folder() })]);
    expect(without.lines).toContainEqual(expect.stringContaining('problem repository: this repository has no commit'));
    expect([without.code, none.code]).toEqual([1, 0]);
    expect(none.lines).toContainEqual(expect.stringContaining('warn repository: this folder is not a git repository'));
  });

  it.each([
    ['a config', { '.divisi/config.yaml': 'speed: 3\n' }, 'problem config: .divisi/config.yaml:1: speed'],
    ['an agent', { '.divisi/agents/a.md': 'x' }, 'problem agents and contracts: .divisi/agents/a.md'],
    ['a contract', { '.divisi/contracts/a.yaml': 'x' }, 'problem agents and contracts: .divisi/contracts/a.yaml'],
    ['a file for .divisi', { '.divisi': 'x' }, 'problem .divisi: it is a file'],
    ['a driver that is not installed', { '.divisi/config.yaml': 'driver: codex\n' }, 'problem driver: driver codex'],
    [
      'a program of a driver',
      { '.divisi/config.yaml': 'drivers:\n  x: { kind: command, argv: [no-such-program] }\n' },
      'problem driver x: its program no-such-program was not found',
    ],
    ['a driver of a tier', { '.divisi/config.yaml': 'tiers: { deep: codex }\n' }, 'problem tier deep: driver codex'],
    [
      'a program of a profile',
      { '.divisi/config.yaml': 'drivers:\n  x: { kind: acp, profile: goose }\n' },
      'problem driver x: its program goose was not found',
    ],
    [
      "an agent's driver",
      { '.divisi/agents/a.md': '---\ndriver: nobody\n---\nx\n' },
      'problem agent a: .divisi/agents/a.md: unknown driver: nobody',
    ],
  ])('finds a fault in %s', async (_what, files, line) => {
    const { code, lines } = await doctor({ cwd: repository(files) });
    expect([code, lines]).toEqual([1, expect.arrayContaining([expect.stringContaining(line)])]);
  });

  it('warns of what only some runs need', async () => {
    const cwd = repository({ '.claude/agents/a.md': '---\n', '.divisi/agents/b.md': '---\ndriver: claude\n---\nx\n' });
    const { code, lines } = await doctor({ cwd, programs: { 'claude-agent-acp': 'exit 1' } });
    expect(code).toBe(0);
    expect(lines).toContainEqual(
      expect.stringContaining('warn agents: .claude/agents/a.md: its frontmatter has no closing'),
    );
    expect(lines).toContainEqual(expect.stringMatching(/^warn claude-agent-acp: .*--version ended with 1/));
    expect(lines).toContainEqual(expect.stringContaining(`${builtInAgents.length + 1} agents, 1 of them yours`));
  });

  it('does not follow .divisi out of the project', async () => {
    const cwd = repository();
    const outside = folder();
    symlinkSync(outside, join(cwd, '.divisi'));
    const { code, lines } = await doctor({ cwd });
    expect([code, lines]).toEqual([
      1,
      expect.arrayContaining([expect.stringContaining('problem .divisi: it is a symlink')]),
    ]);
  });

  it('is content with drivers of your own', async () => {
    const cwd = repository();
    put(cwd, { '.divisi/config.yaml': 'driver: x\ndrivers:\n  x: { kind: command, argv: [sh, work.sh] }\n' });
    const { code, lines } = await doctor({ cwd, programs: {} });
    expect(code).toBe(0);
    expect(lines).toContainEqual(expect.stringContaining('warn programs: no known program'));
    expect(lines).toContain('ok driver: x');
  });
});

describe('what hooks of Claude Code will get', () => {
  const { version } = packageFile;
  const good = { claude: 'echo 2.1.325', node: 'echo v22.18.0', divisi: `echo ${version}` };
  const ofHooks = (lines: readonly string[]): string[] =>
    lines.filter((line) => / (?:plugin|node for hooks|divisi for hooks): /.test(line));

  /** As the client writes it down. */
  const installed = (name = 'divisi@divisi'): string => {
    return repository({ '.claude/plugins/installed_plugins.json': JSON.stringify({ plugins: { [name]: [{}] } }) });
  };

  it('is not looked at where there is neither client nor plugin', async () => {
    const { lines } = await doctor({ cwd: repository() });
    expect(ofHooks(lines)).toEqual([]);
  });

  it('is fine with a new Node and this Divisi on the PATH', async () => {
    const { code, lines } = await doctor({ cwd: installed(), programs: good });
    expect(code).toBe(0);
    expect(ofHooks(lines)).toEqual([
      'ok plugin: installed in Claude Code',
      expect.stringMatching(/^ok node for hooks: 22\.18\.0, \/.*\/node$/),
      expect.stringMatching(new RegExp(`^ok divisi for hooks: ${version}, /.*/divisi$`)),
    ]);
  });

  it.each([
    [
      'an old Node',
      { ...good, node: 'echo v22.17.1' },
      /^problem node for hooks: 22\.17\.1, .*skip the hooks silently$/,
    ],
    ['a Node that fails', { ...good, node: 'exit 3' }, /^problem node for hooks: .*--version ended with 3$/],
    ['no Node', { claude: good.claude, divisi: good.divisi }, /^problem node for hooks: node is not on the PATH/],
    ['no Divisi', { claude: good.claude, node: good.node }, /^problem divisi for hooks: divisi is not on the PATH/],
    ['a Divisi that fails', { ...good, divisi: 'exit 3' }, /^problem divisi for hooks: .*--version ended with 3$/],
  ])('is a problem with %s', async (_what, programs, line) => {
    const { code, lines } = await doctor({ cwd: installed(), programs });
    expect([code, ofHooks(lines)]).toEqual([1, expect.arrayContaining([expect.stringMatching(line)])]);
  });

  it('is worth a warning with another Divisi, or where the plugin is not installed', async () => {
    const another = await doctor({ cwd: installed(), programs: { ...good, divisi: 'echo 0.0.1' } });
    expect(another.lines).toContainEqual(expect.stringMatching(/^warn divisi for hooks: 0\.0\.1, .*; this is /));
    const without = await doctor({
      cwd: installed('other@divisi'),
      programs: { claude: good.claude, node: good.node },
    });
    expect(without.code).toBe(0);
    expect(ofHooks(without.lines)).toEqual([
      expect.stringMatching(/^ok plugin: not installed/),
      expect.stringMatching(/^ok node for hooks/),
      expect.stringMatching(/^warn divisi for hooks: divisi is not on the PATH/),
    ]);
  });

  it('follows the client to where its files are', async () => {
    const elsewhere = installed();
    const variables = { CLAUDE_CONFIG_DIR: join(elsewhere, '.claude') };
    const { lines } = await doctor({ cwd: repository(), programs: good, variables });
    expect(lines).toContain('ok plugin: installed in Claude Code');
  });
});

it.each([
  [99e6, 'problem'],
  [999e6, 'warn'],
  [1e9, 'ok'],
])('a disk with %d bytes: %s', (free, status) => {
  expect(diskState(free).status).toBe(status);
});

it.each([
  ['22.17.9', 'problem'],
  ['22.18.0', 'ok'],
  ['24.0.0', 'ok'],
  ['9.99.0', 'problem'],
])('Node %s: %s', (version, status) => {
  expect(nodeCheck(version).status).toBe(status);
});

it('asks for the Node that the package asks for', () => {
  expect(packageFile.engines.node).toBe(`>=${oldestNode}`);
});
