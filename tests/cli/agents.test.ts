/** `divisi agents`: programs on the PATH, drivers of the config, roles. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { profiles } from '../../src/drivers/profiles/profiles.ts';
import { fakePrograms } from '../support/fake-programs.ts';
import { shapeOf } from '../support/shape.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { divisi } from '../support/divisi.ts';

const folder = temporaryFolders();

interface Shown {
  readonly programs: readonly Record<string, unknown>[];
  readonly drivers: readonly Record<string, unknown>[];
  readonly agents: readonly Record<string, unknown>[];
}

async function agents(cwd: string, scripts: Record<string, string>): Promise<{ shown: Shown; text: string }> {
  const PATH = fakePrograms(join(folder(), 'bin'), scripts);
  const variables = { PATH, ANTHROPIC_API_KEY: 'dummy-key' };
  const [json, text] = await Promise.all([
    divisi(['agents', '--json'], { cwd, variables }),
    divisi(['agents'], { cwd, variables }),
  ]);
  expect([json.code, text.code]).toEqual([0, 0]);
  return { shown: JSON.parse(json.stdout) as Shown, text: text.stdout };
}

describe('divisi agents', () => {
  it('finds programs, and says how they will be driven', async () => {
    const { shown, text } = await agents(folder(), {
      'claude-agent-acp': 'echo 0.99.0',
      gemini: 'echo broken >&2; exit 1',
      goose: 'echo "key=$ANTHROPIC_API_KEY"',
    });
    expect(shown.programs.map(({ name }) => name)).toEqual(profiles.map(({ name }) => name));
    const [claude, codex, gemini, , goose] = shown.programs;
    expect(claude).toMatchObject({
      installed: true,
      driven: 'acp',
      returns: 'tool',
      resumes: true,
      usage: 'turn',
      limits: { turns: 'client', tokens: 'after-turn', cost: 'client' },
      found: [{ program: 'claude-agent-acp', version: '0.99.0', fault: null }],
    });
    expect(codex).toMatchObject({ installed: false, driven: null, found: [] });
    expect(gemini).toMatchObject({ found: [{ version: null, fault: '--version ended with 1: broken' }] });
    // It is not told any key for that.
    expect(goose).toMatchObject({ found: [{ version: 'key=' }] });
    expect(text).toMatch(/claude +Claude Code +claude-agent-acp 0\.99\.0 +over ACP, returns through a tool, resumes/);
    expect(text).toContain('limits: turns and cost by the client, tokens after each turn\n');
    expect(text).toContain('limits: turns counted, tokens and cost unknown\n');
    expect(text).toMatch(/codex +Codex +not found +npm install -g @openai\/codex/);
    expect(text).toMatch(/gemini .*--version ended with 1: broken/);
  });

  it('drives a program by its command line where nothing speaks ACP for it', async () => {
    const { shown } = await agents(folder(), { claude: 'echo "2.1.325 (Claude Code)"' });
    expect(shown.programs[0]).toMatchObject({
      driven: 'one-shot',
      returns: 'schema',
      found: [{ program: 'claude', version: '2.1.325' }],
    });
  });

  it('lists drivers and agents, and where they are from', async () => {
    const cwd = folder({
      '.divisi/config.yaml':
        'driver: mine\ndrivers:\n  mine: { kind: command, argv: [node, work.mjs, --key, sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789] }\n  demo: { kind: scripted, scenario: demo.yaml }\n  other: { kind: acp, profile: codex }\n',
      '.claude/agents/planner.md': '---\nmodel: opus\n---\nPlan it.\n',
      '.claude/agents/review-pr.md': '---\nmodel: opus\n---\nApprove it.\n',
      '.claude/agents/bad.md': '---\n',
      '.divisi/agents/migrator.md': '---\ndriver: other\ntools: Read\ndescription: migrates\n---\nMigrate.\n',
    });
    const { shown, text } = await agents(cwd, {});
    expect(shown.drivers).toMatchObject([
      { name: 'mine', kind: 'command', isDefault: true },
      { name: 'demo', kind: 'scripted', isDefault: false, about: 'demo.yaml' },
      { name: 'other', kind: 'acp', about: 'codex' },
    ]);
    expect(shown.agents.find(({ name }) => name === 'planner')).toEqual({
      name: 'planner',
      description: null,
      contract: 'structured-return',
      tools: null,
      tier: 'deep',
      driver: null,
      from: '.claude/agents/planner.md',
      replaces: 'built-in',
    });
    expect(shown.agents.at(-1)).toMatchObject({ name: 'migrator', tools: ['Read'], driver: 'other' });
    expect(shown).toMatchObject({
      skipped: [{ file: '.claude/agents/bad.md' }, { file: '.claude/agents/review-pr.md' }],
    });
    expect(text).toMatch(/mine \(default\) +command +node work\.mjs/);
    expect(text).toMatch(/planner +structured-return +deep +- +\.claude\S+, replaces the built-in one/);
    expect(JSON.stringify(shown) + text).not.toContain('abcdefghijklmnop');
  });

  it('answers programs in one form', async () => {
    const cwd = folder({ '.divisi/config.yaml': 'drivers:\n  a: { kind: scripted, scenario: b }\n' });
    const { shown } = await agents(
      cwd,
      Object.fromEntries(profiles.map(({ acp }) => [acp?.argv[0] ?? '', 'echo 1.0'])),
    );
    expect(shapeOf(shown)).toEqual({
      programs: [
        {
          name: 'string',
          title: 'string',
          installed: 'boolean',
          driven: 'string',
          returns: 'string',
          resumes: 'boolean',
          usage: 'string',
          limits: { turns: 'string', tokens: 'string', cost: 'string' },
          found: [{ program: 'string', path: 'string', version: 'string', fault: 'null' }],
          install: 'string',
        },
      ],
      drivers: [{ name: 'string', kind: 'string', isDefault: 'boolean', about: 'string' }],
      agents: [
        {
          name: 'string',
          description: 'null',
          contract: 'string',
          tools: 'null',
          tier: 'null',
          driver: 'null',
          from: 'string',
          replaces: 'null',
        },
      ],
      skipped: [],
    });
  });

  it('does not guess where the config has a fault', async () => {
    const { code, stderr } = await divisi(['agents'], { cwd: folder({ '.divisi/config.yaml': 'speed: 3' }) });
    expect([code, stderr]).toEqual([2, expect.stringContaining('CONFIG_INVALID')]);
  });
});
