/** The plugin's files name only what exists and add little to every conversation's context. */
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { builtInAgents } from '../../src/agents/built-in-agents.ts';
import { looseSettings, splitFrontmatter } from '../../src/agents/frontmatter.ts';
import { agentsByName, findAgent } from '../../src/agents/registry.ts';
import { subagentFor } from '../../src/conversation/subagent.ts';
import { parseCommand } from '../../src/mcp/tools/parse-command.ts';
import { tools } from '../../src/mcp/tools/tools.ts';
import { tiers } from '../../src/plan/plan.ts';
import { repositoryFile, repositoryFolder } from '../support/repository.ts';

const json = (path: string): Record<string, unknown> => JSON.parse(repositoryFile(path)) as Record<string, unknown>;

interface Page {
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly body: string;
}

function pagesIn(folder: string): Page[] {
  return repositoryFolder(folder).map((file) => {
    const split = splitFrontmatter(repositoryFile(`${folder}/${file}`));
    if (typeof split === 'string') throw new Error(`${file} has no settings`);
    return { name: file.replace(/\.md$/, ''), settings: looseSettings(split.settings), body: split.body };
  });
}

const agents = pagesIn('plugin/agents');
const commands = pagesIn('plugin/commands');

describe('manifests', () => {
  const plugin = json('plugin/.claude-plugin/plugin.json');

  it('the plugin has the version of the package', () => {
    expect(plugin['version']).toBe(json('package.json')['version']);
  });

  it('the marketplace offers it, from where it is', () => {
    const { name, plugins } = json('.claude-plugin/marketplace.json');
    expect(name).toBe('divisi');
    expect(plugins).toMatchObject([{ name: plugin['name'], source: './plugin' }]);
  });

  it('the package has both', () => {
    expect(json('package.json')['files']).toEqual(expect.arrayContaining(['plugin', '.claude-plugin']));
  });

  it('the server is the command, and its tools need not be searched for', () => {
    const { mcpServers } = json('plugin/.mcp.json');
    expect(mcpServers).toEqual({ divisi: { command: 'divisi', args: ['mcp'], alwaysLoad: true } });
  });
});

interface Hooks {
  readonly hooks: Readonly<
    Record<string, { matcher?: string; hooks: { type: string; command: string; timeout: number }[] }[]>
  >;
}

describe('hooks', () => {
  const { hooks } = json('plugin/hooks/hooks.json') as unknown as Hooks;

  it('have names that every version since 2.1.63 knows: an unknown one switches all of them off in some', () => {
    const known = [
      'PreToolUse',
      'PostToolUse',
      'SubagentStop',
      'UserPromptSubmit',
      'SessionStart',
      'PreCompact',
      'SessionEnd',
      'Stop',
    ];
    expect(Object.keys(hooks).toSorted()).toEqual(known.toSorted());
  });

  it.each(Object.entries(hooks))('%s calls the command with its own name, in time', (event, groups) => {
    const [own, ...others] = groups.flatMap((group) => group.hooks);
    expect(own).toEqual({ type: 'command', command: `divisi hook ${event}`, timeout: expect.any(Number) });
    const waking = { type: 'command', command: 'divisi hook Wake', asyncRewake: true, timeout: expect.any(Number) };
    expect(others).toEqual(event === 'UserPromptSubmit' ? [waking] : []);
    const most = event === 'SubagentStop' ? 600 : 60;
    expect(own?.timeout).toBeGreaterThanOrEqual(10);
    expect(own?.timeout).toBeLessThanOrEqual(most);
  });

  it('see every tool before it is used, and afterwards delegations and edits', () => {
    expect(hooks['PreToolUse']?.[0]?.matcher).toBe('*');
    const after = new RegExp(`^(?:${hooks['PostToolUse']?.[0]?.matcher ?? ''})$`);
    const used = ['Agent', 'Task', 'Edit', 'Write', 'MultiEdit', 'NotebookEdit', 'Read', 'Bash', 'TaskOutput'];
    expect(used.filter((tool) => after.test(tool))).toEqual(used.slice(0, 6));
  });
});

describe('agents', () => {
  it('are called as their files', () => {
    expect(agents.map(({ settings }) => settings['name'])).toEqual(agents.map(({ name }) => name));
  });

  it('are there for every role of ours at every tier', () => {
    const roles = agentsByName();
    const wanted = builtInAgents.flatMap(({ name }) =>
      tiers.map((tier) => subagentFor({ planned: { agent: name }, tier } as Parameters<typeof subagentFor>[0], roles)),
    );
    const there = new Set(agents.map(({ name }) => `divisi:${name}`));
    expect([...new Set(wanted.map(({ type }) => type))].filter((type) => !there.has(type))).toEqual([]);
  });

  it.each([
    ['task-executor', { type: 'divisi:worker-deep' }],
    ['lean-research-agent', { type: 'divisi:worker-deep' }],
    ['researcher', { type: 'divisi:worker-deep' }],
    ['fixer', { type: 'divisi:worker-deep' }],
    ['reviewer', { type: 'divisi:reviewer', model: 'opus' }],
    ['wave-reviewer', { type: 'divisi:reviewer', model: 'opus' }],
    ['silent-failure-hunter', { type: 'divisi:reviewer', model: 'opus' }],
    ['auditor', { type: 'divisi:reviewer', model: 'opus' }],
  ])('%s works as one of them', (agent, subagent) => {
    const task = { planned: { agent }, tier: 'deep' } as Parameters<typeof subagentFor>[0];
    expect(subagentFor(task, agentsByName())).toEqual(subagent);
  });

  it('work at the tier that they are named after', () => {
    const models = Object.fromEntries(agents.map(({ name, settings }) => [name, settings['model']]));
    expect(models).toMatchObject({ 'worker-fast': 'haiku', 'worker-standard': 'sonnet', 'worker-deep': 'opus' });
  });

  it.each(agents.filter(({ name }) => name !== 'conductor'))('$name follows the contract of its prompt', ({ body }) => {
    expect(body).toContain('Follow the contract to the letter. Write the report file that it names');
    expect(body.length).toBeLessThanOrEqual(500);
  });

  it('are not for a role of another file that only has the name of a reviewer', () => {
    const file = { ...findAgent(agentsByName(), 'wave-reviewer'), file: '.divisi/agents/wave-reviewer.md' };
    const task = { planned: { agent: 'wave-reviewer' }, tier: 'deep' } as Parameters<typeof subagentFor>[0];
    expect(subagentFor(task, agentsByName([file]))).toEqual({ type: 'divisi:worker-deep' });
  });

  it('edit nothing where they review', () => {
    const limited = agents.flatMap(({ name, settings }) =>
      settings['tools'] === undefined ? [] : [[name, settings['tools']]],
    );
    expect(limited).toEqual([['reviewer', 'Read, Bash, Write']]);
  });
});

describe('commands', () => {
  const prefix = 'mcp__plugin_divisi_divisi__';
  const known = tools.map(({ name }) => `${prefix}${name}`);
  const aboutTasks = ['implement', 'plan', 'research', 'review', 'revise'];
  const others = ['feature', 'task', 'todo'];

  it('are these', () => {
    const aboutRuns = ['approve', 'report', 'resume', 'run', 'status'];
    const names = commands.map(({ name }) => name);
    expect(names).toEqual([...aboutRuns, ...aboutTasks, ...others].toSorted());
  });

  it.each(commands)('$name may use the one tool that it calls', ({ settings, body }) => {
    const named = new Set(body.match(/mcp__\w+/g));
    expect([...named]).toEqual([settings['allowed-tools']]);
    expect(known).toContain(settings['allowed-tools']);
  });

  it.each(commands.filter(({ name }) => name !== 'todo'))('$name takes what the person wrote', ({ settings, body }) => {
    expect(body).toContain('$ARGUMENTS');
    expect(settings['argument-hint']).toMatch(/^.{4,120}$/);
  });

  it.each([...aboutTasks, ...others])('%s is given as the server reads it', (name) => {
    const body = commands.find((one) => one.name === name)?.body ?? '';
    const given = /`command: "([^"]+)"`/.exec(body)?.[1] ?? `${name} $ARGUMENTS`;
    const argument = name === 'task' ? 'show 12' : '12';
    const words: object = { words: expect.arrayContaining([name]) };
    const calls: Readonly<Record<string, object>> = {
      task: { call: { action: 'show', number: 12 } },
      todo: { call: { action: 'archive' } },
    };
    expect(parseCommand(given.replace('$ARGUMENTS', argument))).toMatchObject(calls[name] ?? words);
  });

  it.each(repositoryFolder('plugin/commands'))('%s has settings that every reader of YAML reads', (file) => {
    const [, settings = ''] = /^---\n([^]*?)\n---\n/.exec(repositoryFile(`plugin/commands/${file}`)) ?? [];
    expect(load(settings)).toMatchObject({ description: expect.any(String), 'disable-model-invocation': true });
  });

  it.each(commands)('$name is for the person: the model does not see it', ({ settings }) => {
    expect(settings['disable-model-invocation']).toBe('true');
    expect(settings['description']?.length).toBeLessThanOrEqual(60);
  });

  it('conduct with prompts that hooks recognise', () => {
    expect(commands.find(({ name }) => name === 'run')?.body).toContain('exactly `divisi TASK`');
  });
});

describe('what every conversation carries', () => {
  /** As the client lists an agent. */
  const line = ({ name, settings }: Page): string =>
    `- divisi:${name}: ${settings['description'] ?? ''} (Tools: ${settings['tools'] ?? 'All tools'})\n`;

  it('is at most 250 characters for agents, and nothing for commands', () => {
    expect(agents.map(line).join('').length).toBeLessThanOrEqual(250);
  });
});
