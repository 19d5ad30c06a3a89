import { describe, expect, it } from 'vitest';
import { DivisiError } from '../base/error.ts';
import { usualLimits } from '../base/delegation-limits.ts';
import type { Config } from './config.ts';
import { parseConfig } from './parse-config.ts';

const table = { research: { default: 3600, most: 7200 }, simple: { default: 300, most: 900 } } as const;
const file = '.divisi/config.yaml';

function load(text: string): Config {
  return parseConfig(text, file, table);
}

function faults(text: string): DivisiError {
  try {
    load(text);
  } catch (error) {
    if (error instanceof DivisiError) return error;
    throw error;
  }
  throw new Error('the config was accepted');
}

const workspace = {
  link: [],
  copy: [],
  forbidden: [],
  accept: [],
  teardown: [],
  ports: [],
  environment: [],
  timeout: 600,
  sign: false,
};
const defaults = {
  concurrency: 4,
  grace: 10,
  drivers: {},
  tiers: {},
  deadlines: {},
  limits: usualLimits,
  classes: {},
  commands: {},
  features: { extras: [] },
  workspace,
};

describe('parseConfig', () => {
  it.each([
    '',
    '\n',
    '# nothing yet\n',
    'drivers:\n  # worker: soon\ndriver:\n',
    '{}',
    'workspace:\n',
    'workspace:\n  setup:\n',
  ])('fills in defaults for %j', (text) => {
    expect(load(text)).toEqual(defaults);
  });

  it('reads everything there is', () => {
    const config = load(`driver: worker
concurrency: 8
grace: 0
deadlines: { research: 7200 }
limits: { fast: { turns: 5, tokens: off, cost: 0.25 }, deep: { cost: off } }
classes: { formatter: simple }
drivers:
  worker:
    kind: command
    argv: [node, tools/worker.mjs, 1.10, yes]
    review: [node, tools/reviewer.mjs]
    repair: [node, tools/worker.mjs, --repair]
    environment: [OPENAI_API_KEY, MY_*]
  plain: { kind: command, argv: [true], returns: exit-code }
  demo: { kind: scripted, scenario: scenario.yaml }
  own-claude: { kind: acp, profile: claude, home: isolated, permissions: { fetch: refuse }, tiers: { deep: { model: opus, effort: high } } }
  other: { kind: acp, argv: [other, --acp], variables: { QUIET: 1 }, mode: ask, usage: turn, resumes: true, quota: ['limit \\d+'], trouble: [login] }
  short: { kind: one-shot, profile: codex, argv: [/opt/codex], environment: [OPENAI_BASE_URL] }
tiers: { fast: short, deep: goose }
commands:
  research: { languages: { Lean: lean-research-agent, c++: kit:cpp }, default: researcher }
  plan: { agent: my-planner, timeout: 900 }
  review: { timeout: 60 }
features: { extras: [silent-failure-hunter] }
workspace:
  setup: [[npm, ci], [npm, run, build]]
  link: [node_modules, ./packages//a/node_modules/]
  copy: [.env, config/local.json]
  forbidden: [infra/prod, .]
  accept: [[npm, test]]
  teardown: [[docker, compose, down]]
  ports: [web, db-main]
  environment: [DATABASE_URL, MY_*]
  timeout: 60
  disk: 500 MiB
  sign: true
`);
    expect(config).toEqual({
      driver: 'worker',
      concurrency: 8,
      grace: 0,
      deadlines: { research: 7200 },
      limits: {
        fast: { turns: 5, cost: 0.25 },
        standard: usualLimits.standard,
        deep: { turns: 400, tokens: 20_000_000 },
      },
      classes: { formatter: 'simple' },
      drivers: {
        worker: {
          kind: 'command',
          argv: ['node', 'tools/worker.mjs', '1.10', 'yes'],
          review: ['node', 'tools/reviewer.mjs'],
          repair: ['node', 'tools/worker.mjs', '--repair'],
          environment: ['OPENAI_API_KEY', 'MY_*'],
        },
        plain: { kind: 'command', argv: ['true'], returns: 'exit-code', environment: [] },
        demo: { kind: 'scripted', scenario: 'scenario.yaml' },
        'own-claude': {
          kind: 'acp',
          profile: 'claude',
          environment: [],
          variables: {},
          home: 'isolated',
          tiers: { deep: { model: 'opus', effort: 'high' } },
          permissions: { fetch: 'refuse' },
          quota: [],
          trouble: [],
        },
        other: {
          kind: 'acp',
          argv: ['other', '--acp'],
          environment: [],
          variables: { QUIET: '1' },
          home: 'own',
          tiers: {},
          mode: 'ask',
          usage: 'turn',
          resumes: true,
          permissions: {},
          quota: ['limit \\d+'],
          trouble: ['login'],
        },
        short: {
          kind: 'one-shot',
          profile: 'codex',
          argv: ['/opt/codex'],
          environment: ['OPENAI_BASE_URL'],
          variables: {},
          home: 'own',
          tiers: {},
        },
      },
      tiers: { fast: 'short', deep: 'goose' },
      features: { extras: ['silent-failure-hunter'] },
      commands: {
        research: {
          routing: {
            languageBased: true,
            byLanguage: { lean: 'lean-research-agent', 'c++': 'kit:cpp' },
            default: 'researcher',
          },
        },
        plan: { routing: { languageBased: false, agent: 'my-planner' }, timeout: 900 },
        review: { timeout: 60 },
      },
      workspace: {
        setup: [
          ['npm', 'ci'],
          ['npm', 'run', 'build'],
        ],
        link: ['node_modules', 'packages/a/node_modules'],
        copy: ['.env', 'config/local.json'],
        forbidden: ['infra/prod', '.'],
        accept: [['npm', 'test']],
        teardown: [['docker', 'compose', 'down']],
        ports: ['web', 'db-main'],
        environment: ['DATABASE_URL', 'MY_*'],
        timeout: 60,
        disk: 500 * 1024 ** 2,
        sign: true,
      },
    });
  });

  it.each(['command', 'scripted'])('takes %s as the default driver: the plan says the rest', (driver) => {
    expect(load(`driver: ${driver}`)).toEqual({ ...defaults, driver });
  });

  it('names every fault with its line', () => {
    const error = faults(
      'concurrency: four\ngrace: 3601\nspeed: 3\ndrivers:\n  worker:\n    kind: command\n    argv: []\n    shell: yes\n',
    );
    expect(error).toMatchObject({ code: 'CONFIG_INVALID', ids: { file, line: 1 } });
    expect(error.message.split('\n')).toEqual([
      `${file}:1: concurrency: a whole number from 1 to 1000`,
      `${file}:2: grace: a whole number from 0 to 3600`,
      `${file}:3: speed: unknown key`,
      `${file}:7: drivers.worker.argv: at least one word`,
      `${file}:8: drivers.worker.shell: unknown key`,
    ]);
  });

  it.each([
    ['a list', '- a', '1: Invalid input: expected object, received array'],
    [
      'an unknown kind',
      'drivers:\n  a: { kind: magic }',
      '2: drivers.a.kind: expected the kind command, scripted, acp or one-shot',
    ],
    [
      'no kind',
      'drivers:\n  a: { argv: [x] }',
      '2: drivers.a.kind: expected the kind command, scripted, acp or one-shot',
    ],
    [
      'a name',
      'drivers:\n  My Worker: { kind: scripted, scenario: a }',
      '2: drivers.My Worker: expected a lower-case name with dashes',
    ],
    [
      'a command as one text',
      'drivers:\n  a: { kind: command, argv: node x }',
      '2: drivers.a.argv: a list of words, such as [node, worker.mjs]',
    ],
    [
      'no words for a review',
      'drivers:\n  a: { kind: command, argv: [x], review: [] }',
      '2: drivers.a.review: at least one word',
    ],
    [
      'a variable',
      'drivers:\n  a: { kind: command, argv: [x], environment: ["*"] }',
      '2: drivers.a.environment[0]: a variable name, or a prefix and *',
    ],
    [
      'a driver that is not there',
      '\ndriver: x\ndrivers:\n  a: { kind: scripted, scenario: a }',
      '2: driver: unknown driver x; expected one of a, claude, codex, gemini, opencode, goose, copilot',
    ],
    ['a driver of a tier', 'tiers:\n  deep: x', '2: tiers.deep: unknown driver x; expected one of claude, '],
    ['a program nobody named', 'drivers:\n  a: { kind: acp }', '2: drivers.a: needs a profile or an argv'],
    [
      'an expression',
      "drivers:\n  a: { kind: acp, profile: goose, quota: ['('] }",
      '2: drivers.a.quota[0]: a regular expression',
    ],
    [
      'a program that is not there',
      'drivers:\n  a: { kind: one-shot, profile: goose }',
      '2: drivers.a.profile: one of claude, codex',
    ],
    ['a driver of none', 'driver: toString', '1: driver: unknown driver toString; expected one of claude, '],
    ['a class', 'deadlines:\n  thinking: 5', '2: deadlines.thinking: unknown class; expected one of research, simple'],
    [
      'a class every object has',
      'deadlines:\n  toString: 5',
      '2: deadlines.toString: unknown class; expected one of research, simple',
    ],
    [
      'the class of an agent',
      'classes:\n  a: thinking',
      '2: classes.a: unknown class; expected one of research, simple',
    ],
    ['too long a deadline', 'deadlines:\n  simple: 901', '2: deadlines.simple: at most 900 seconds'],
    ['no deadline', 'deadlines:\n  simple: 0', '2: deadlines.simple: a whole number from 1 to 1000000'],
    ['an agent for a command', 'commands:\n  plan: planner', '2: commands.plan: '],
    ['a command that is not there', 'commands:\n  todo: { agent: a }', '2: commands.todo: unknown key'],
    ['no name', 'commands:\n  plan: { agent: my planner }', '2: commands.plan.agent: an agent name'],
    [
      'two forms at once',
      'commands:\n  plan: { agent: a, default: b }',
      '2: commands.plan.default: cannot be combined with agent',
    ],
    [
      'languages beside an agent',
      'commands:\n  plan: { agent: a, languages: { go: b } }',
      '2: commands.plan.languages: cannot be combined with agent',
    ],
    [
      'languages alone',
      'commands:\n  plan: { languages: { go: b } }',
      '2: commands.plan.languages: needs a default for all other languages',
    ],
    [
      'languages that are none',
      'commands:\n  plan: { languages: [go], default: b }',
      '2: commands.plan.languages: agents by language',
    ],
    [
      'the time of a command',
      'commands:\n  plan: { timeout: 0 }',
      '2: commands.plan.timeout: a whole number from 1 to 86400',
    ],
    ['a key given twice', 'grace: 1\ngrace: 2', '2: grace is given twice'],
    ['an anchor', 'driver: &a x', '1: anchors are not allowed'],
    ['a prototype', 'drivers:\n  __proto__: { kind: scripted }', '2: drivers.__proto__: unknown key'],
    ['no commands', 'workspace:\n  setup: npm ci', '2: workspace.setup: a list of commands, such as [[npm, ci]]'],
    ['one command for several', 'workspace:\n  setup: [npm, ci]', '2: workspace.setup[0]: a list of words, such as'],
    ['an empty command', 'workspace:\n  accept:\n    - []', '3: workspace.accept[0]: at least one word'],
    ['a path outside', 'workspace:\n  link: [../x]', '2: workspace.link[0]: a path or a pattern inside the project'],
    ['a path for a list', 'workspace:\n  link: x', '2: workspace.link: a list of paths'],
    ['an absolute path', 'workspace:\n  forbidden: [a, /etc]', '2: workspace.forbidden[1]: a path inside the project'],
    ['braces', 'workspace:\n  copy: ["{a,b}.env"]', '2: workspace.copy[0]: a path or a pattern without braces'],
    ['a size', 'workspace:\n  disk: 5 GB', '2: workspace.disk: a size such as 5 GiB'],
    ['a port', 'workspace:\n  ports: [WEB]', '2: workspace.ports[0]: a lower-case name with dashes'],
    [
      'a pattern',
      'workspace:\n  forbidden: ["src/*.ts"]',
      '2: workspace.forbidden[0]: a file or a folder, not a pattern',
    ],
    ['all of it as a copy', 'workspace:\n  copy: [./]', '2: workspace.copy[0]: a path inside the project, other than'],
    [
      'what git owns',
      'workspace:\n  link: [.git/hooks]',
      '2: workspace.link[0]: a path inside the project, other than',
    ],
    [
      'what Divisi owns',
      'workspace:\n  copy: [.divisi]',
      '2: workspace.copy[0]: a path inside the project, other than',
    ],
    ['a copy in a link', 'workspace:\n  link: [a]\n  copy: [b, a/c]', '3: workspace.copy[1]: a is already linked'],
    ['a link in a copy', 'workspace:\n  link: [a/c]\n  copy: [a]', '3: workspace.copy[0]: a/c is already linked'],
    ['a sign that is neither', 'workspace:\n  sign: yes', '2: workspace.sign: true or false'],
    ['no time', 'workspace:\n  timeout: 0', '2: workspace.timeout: a whole number from 1 to 86400'],
    ['a key of the workspace', 'workspace:\n  shell: x', '2: workspace.shell: unknown key'],
    ['half a file', 'grace: 1\ndrivers: {', '2: unexpected end'],
  ])('refuses %s', (_, text, message) => {
    expect(faults(text).message).toContain(`${file}:${message}`);
  });

  it.each([
    ['limits: { fast: { turns: 0 } }', '1: limits.fast.turns: a whole number from 1, or off'],
    ['limits: { fast: { tokens: 1.5 } }', '1: limits.fast.tokens: a whole number from 1, or off'],
    ['limits:\n  deep: { cost: none }', '2: limits.deep.cost: an amount such as 2.50, or off'],
    ['limits:\n  slow: { turns: 1 }', '2: limits.slow: unknown key'],
    ['limits:\n  fast: { minutes: 1 }', '2: limits.fast.minutes: unknown key'],
  ])('limits are numbers or off: %j', (text, message) => {
    expect(faults(text).message).toContain(`${file}:${message}`);
  });

  it('lists at most twenty faults', () => {
    const text = Array.from({ length: 50 }, (_, at) => `key${at}: x`).join('\n');
    expect(faults(text).message.split('\n')).toHaveLength(20);
  });
});

describe('a setting of the user', () => {
  it.each(['workspace: { folder: /rooms }', 'servers: {}', 'notify: [touch, x]'])(
    'is refused in a project, with where it belongs: %s',
    (text) => {
      const key = text.startsWith('workspace') ? 'workspace.folder' : text.slice(0, text.indexOf(':'));
      expect(() => load(text)).toThrow(
        expect.objectContaining({
          code: 'CONFIG_INVALID',
          message: expect.stringContaining(`${key}: no project can set it; it belongs in your own config`),
        }),
      );
    },
  );
});

it.each(['claude', 'codex', 'goose'])('refuses a driver that takes the name of a built-in one: %s', (name) => {
  expect(() => load(`drivers: { ${name}: { kind: command, argv: [touch, x] } }`)).toThrow(`${name} is built in`);
});
