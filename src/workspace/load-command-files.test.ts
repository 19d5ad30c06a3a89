import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryFile } from '../../tests/support/repository.ts';
import { type Files, temporaryFolders } from '../../tests/support/temporary-folder.ts';
import { builtInAgents } from '../agents/built-in-agents.ts';
import { configSchema } from '../config/config.ts';
import { configTemplate } from '../config/config-template.ts';
import { parseConfig } from '../config/parse-config.ts';
import { deadlines, secondsFor, classFor } from '../delegation/deadline.ts';
import { chooseRouting, commandNames, usualRouting } from '../routing/command-routing.ts';
import { route, type RouteFacts } from '../routing/route.ts';
import { type CommandFiles, loadCommandFiles } from './load-command-files.ts';

const folder = temporaryFolders();
const load = (files: Files): Promise<CommandFiles> => loadCommandFiles(folder(files), ['research']);
const file = (settings: string): string => `---\n${settings}\n---\n\nrouting: { language_based: nonsense }\n`;
const direct = (agent: string): string => file(`routing: { language_based: false, target_agent: ${agent} }`);
const path = '.claude/commands/research.md';

describe('a command file', () => {
  it('says whom a command is given to, whatever else it says', async () => {
    const settings = `name: research
description: Look things up: all of them
argument-hint: [number] [words]
allowed-tools: Read, Bash(git:*)
routing:
  language_based: true
  lean: lean-research-agent
  default: researcher
context: { level: *all }
timeout: 3600`;
    const byLanguage = { lean: 'lean-research-agent' };
    expect(await load({ [path]: file(settings) })).toEqual(
      new Map([
        [
          'research',
          {
            from: path,
            settings: { routing: { languageBased: true, byLanguage, default: 'researcher' }, timeout: 3600 },
          },
        ],
      ]),
    );
  });

  it.each([
    ['no settings', '# Research\n\nrouting: { language_based: false, target_agent: x }\n'],
    ['nothing about routing', file('description: x')],
    ['empty settings', '---\n---\n'],
  ])('with %s says nothing', async (_, text) => {
    const files = await load({ [path]: text });
    expect(files.get('research')).toEqual({ from: path, settings: {} });
  });

  it('counts by its folder, the first of them alone', async () => {
    const all = {
      '.divisi/commands/research.md': direct('first'),
      '.claude/command/research.md': direct('second'),
      [path]: direct('third'),
    };
    const agents: unknown[] = [];
    for (const one of Object.keys(all)) {
      const rest = Object.fromEntries(Object.entries(all).slice(Object.keys(all).indexOf(one)));
      agents.push((await load(rest)).get('research'));
    }
    expect(agents).toMatchObject(
      ['first', 'second', 'third'].map((agent) => ({ settings: { routing: { languageBased: false, agent } } })),
    );
  });

  it('of another command is not read', async () => {
    const root = folder({
      '.claude/commands/plan.md': '---\n',
      '.claude/commands/deploy.md': direct('x'),
      [path]: direct('a'),
    });
    expect([...(await loadCommandFiles(root, ['research', 'implement'])).keys()]).toEqual(['research']);
    await expect(loadCommandFiles(root, ['plan'])).rejects.toMatchObject({ code: 'COMMAND_FILE_INVALID' });
  });

  it('is not needed', async () => {
    expect(await loadCommandFiles(folder(), commandNames)).toEqual(new Map());
    expect(await load({ '.claude': 'not a folder' })).toEqual(new Map());
  });

  it.each([
    ['a wrong type', file('description: x\nrouting: planner'), ':3: routing: '],
    ['no form', file('routing:\n  language_based: maybe'), ':3: routing.language_based: true or false'],
    ['no agent', file('routing:\n  language_based: false'), ':2: routing.target_agent: an agent name'],
    ['no default', file('routing:\n  language_based: true'), ':2: routing.default: an agent name'],
    [
      'an agent that is a list',
      file('routing:\n  language_based: true\n  lean: [a]\n  default: b'),
      ':4: routing.lean: ',
    ],
    ['a time', file('timeout: soon'), ':2: timeout: whole seconds, from 1 to 86400'],
    ['no YAML', file('routing: { language_based: true\ndescription: x'), ':'],
    ['a key given twice', file('timeout: 5\ntimeout: 6'), ':3: timeout is given twice'],
    ['a prototype', file('routing:\n  __proto__: x'), ':3: routing.__proto__: unknown key'],
    ['an alias', file('timeout: *a'), ':2: '],
    ['settings without an end', '---\ntimeout: 5\n', ': its frontmatter has no closing'],
  ])('is refused for %s', async (_, text, message) => {
    await expect(load({ [path]: text })).rejects.toMatchObject({
      code: 'COMMAND_FILE_INVALID',
      message: expect.stringContaining(`${path}${message}`) as string,
      ids: { file: path },
    });
  });
});

describe('what is not a file of the project', () => {
  const withFile = (make: (path: string, root: string) => void): Promise<CommandFiles> => {
    const root = folder({ '.claude/commands/keep.txt': '', 'inside.md': direct('inside') });
    make(join(root, path), root);
    return loadCommandFiles(root, ['research']);
  };

  it('follows a link inside of it', async () => {
    const files = await withFile((at, root) => symlinkSync(join(root, 'inside.md'), at));
    expect(files.get('research')?.settings?.routing).toEqual({ languageBased: false, agent: 'inside' });
  });

  it.each([
    ['a link out', (at: string) => symlinkSync(join(folder({ 'x.md': direct('x') }), 'x.md'), at), 'a symlink out of'],
    ['a link to nothing', (at: string) => symlinkSync('nowhere', at), 'a broken symlink'],
    ['a folder', (at: string) => mkdirSync(at), 'cannot be read'],
    ['a pipe', (at: string) => execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', at]), 'not a regular file'],
    ['a large file', (at: string) => writeFileSync(at, direct('x') + 'x'.repeat(300_000)), 'larger than 262144 bytes'],
    ['no UTF-8', (at: string) => writeFileSync(at, Buffer.from([0xff, 0xfe, 0x41])), 'not UTF-8'],
  ])('%s is refused', async (_, make, message) => {
    await expect(withFile(make)).rejects.toMatchObject({
      code: 'COMMAND_FILE_INVALID',
      message: expect.stringContaining(message) as string,
    });
  });

  it('does not go into a folder that leads out', async () => {
    const root = folder({ '.claude/keep': '' });
    symlinkSync(folder({ 'research.md': direct('x') }), join(root, '.claude/commands'));
    await expect(loadCommandFiles(root, ['research'])).rejects.toMatchObject({ code: 'COMMAND_FILE_INVALID' });
  });
});

describe('whom the commands are given to as usual', () => {
  it('is known to the config by the same names', () => {
    expect(Object.keys(configSchema.shape.commands.def.innerType.shape)).toEqual([...commandNames]);
  });

  it.each(commandNames)('%s: the template of the config says the same', (command) => {
    const text = configTemplate({ driver: null, deadlines }).replaceAll(/^#(?! \S)/gm, '');
    const settings = parseConfig(text, 'config.yaml', deadlines).commands[command];
    const { routing } = chooseRouting(command, [{ from: 'config.yaml', settings }]);
    const { timeout, ...agents } = routing;
    const names = agents.languageBased ? [agents.default, ...Object.values(agents.byLanguage)] : [agents.agent];
    expect(agents).toEqual(usualRouting[command]);
    expect(names.map((name) => secondsFor(classFor(name, { command })))).toEqual(names.map(() => timeout));
    expect(builtInAgents.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  });
});

describe('the guide to routing', () => {
  const guide = repositoryFile('docs/routing.md');
  const blocks = (kind: string): string[] =>
    [...guide.matchAll(new RegExp(`\`\`\`${kind}\\n([^]*?)\\n\`\`\`\\n`, 'g'))].map(([, text = '']) => text);

  it('has command files and a config as it says', async () => {
    const [research = '', plan = ''] = blocks('markdown');
    const root = folder({ '.claude/commands/research.md': research, '.claude/command/plan.md': plan });
    const files = await loadCommandFiles(root, commandNames);
    expect(files.get('research')?.settings).toEqual({ routing: usualRouting.research, timeout: 3600 });
    expect(files.get('plan')?.settings).toEqual({ routing: usualRouting.plan });
    const { commands } = parseConfig(blocks('yaml')[0] ?? '', 'config.yaml', deadlines);
    expect(commands).toMatchObject({
      plan: { routing: { agent: 'my-planner' }, timeout: 900 },
      review: { timeout: 3600 },
    });
  });

  it('has reasons as they are written', () => {
    const why = (facts: Partial<RouteFacts> & Pick<RouteFacts, 'command'>): string =>
      route({ routing: usualRouting[facts.command], languageFrom: {}, hasPlan: false, ...facts }).why;
    expect(blocks('text')[0]?.split('\n')).toEqual([
      why({ command: 'research', languageFrom: { projectState: 'Lean' } }),
      why({ command: 'research', languageFrom: { todo: 'python' } }),
      why({ command: 'research', languageFrom: { state: 'lean' } }),
      why({ command: 'implement', hasPlan: true }),
      why({ command: 'plan', routing: { languageBased: false, agent: 'my-planner' }, from: '.divisi/config.yaml' }),
    ]);
  });

  it.each([
    ['research', 'lean', false],
    ['plan', 'lean', false],
    ['implement', 'lean', false],
    ['implement', 'lean', true],
    ['revise', 'lean', true],
    ['review', 'lean', true],
  ] as const)('has %s of %s, plan: %s, in its table', (command, todo, hasPlan) => {
    const routing = usualRouting[command];
    const agents = [todo, 'other'].map(
      (language) => route({ command, routing, languageFrom: { todo: language }, hasPlan }).agent,
    );
    const name = command === 'implement' ? `\`implement\` with${hasPlan ? '' : 'out'} a plan` : `\`${command}\``;
    expect(guide).toContain(`| ${name} | ${agents.map((agent) => `\`${agent}\``).join(' | ')} |`);
  });
});
