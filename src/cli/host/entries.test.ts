import { expect, it } from 'vitest';
import { jsonEntry } from './json-entry.ts';
import { mcpHosts } from './mcp-host.ts';
import { variablesNeeded } from './passed-variable.ts';
import { tomlEntry } from './toml-entry.ts';
import { yamlEntry } from './yaml-entry.ts';

const variables = ['A_KEY', 'B_KEY'].map((name) => ({ name, from: name }));
const own = ['command = "divisi"'];
const block = '[mcp_servers.divisi]\ncommand = "divisi"\nenv_vars = ["A_KEY", "B_KEY"]';

it.each([
  ['', `${block}\n`],
  ['model = "x"\n', `model = "x"\n\n${block}\n`],
  [
    '[projects."/home/ada/divisi"]\ntrust_level = "trusted"',
    `[projects."/home/ada/divisi"]\ntrust_level = "trusted"\n\n${block}\n`,
  ],
])('TOML: adds the entry behind %j', (before, after) => {
  expect(tomlEntry(before, own, variables)).toMatchObject({ kind: 'add', text: after, added: block });
});

it.each([
  ['without names', 'command = "x"\n', 'env_vars = ["A_KEY", "B_KEY"]\ncommand = "x"\n', ['A_KEY', 'B_KEY']],
  ['with one', 'env_vars = ["C", "A_KEY"]\n[other]\n', 'env_vars = ["C", "A_KEY", "B_KEY"]\n[other]\n', ['B_KEY']],
  [
    'with a value of its own',
    'command = "x"\n\n[mcp_servers.divisi.env]\nA_KEY = "k"\n',
    'env_vars = ["B_KEY"]\ncommand = "x"\n\n[mcp_servers.divisi.env]\nA_KEY = "k"\n',
    ['B_KEY'],
  ],
])('TOML: extends an entry %s', (_, rest, after, lacks) => {
  const head = 'a = 1\n[mcp_servers.divisi]\n';
  expect(tomlEntry(head + rest, own, variables)).toMatchObject({ kind: 'extend', text: head + after, lacks });
  expect(tomlEntry(head + after, own, variables)).toEqual({ kind: 'complete' });
});

it.each([
  'mcp_servers = { divisi = { command = "x" } }\n',
  '[mcp_servers]\ndivisi = { command = "x" }\n',
  'mcp_servers.divisi.command = "x"\n',
  '[mcp_servers.divisi]\nenv_vars = [\n  "A_KEY",\n]\n',
])('TOML: leaves %j to a person', (text) => {
  expect(tomlEntry(text, own, variables)).toMatchObject({ kind: 'by-hand' });
});

const { format } = mcpHosts.gemini;
const json = (text: string) => jsonEntry(text, format as Extract<typeof format, { kind: 'json' }>, variables);

it('JSON: adds the entry, and changes no value of a person', () => {
  const before = '{\n\t"theme": "dark",\n\t"mcpServers": {\n\t\t"other": {\n\t\t\t"command": "o"\n\t\t}\n\t}\n}\n';
  const edit = json(before);
  const text = 'text' in edit ? edit.text : '';
  expect(text.startsWith(before.slice(0, before.indexOf('\n\t}')))).toBe(true);
  expect(JSON.parse(text)).toMatchObject({ mcpServers: { divisi: { env: { A_KEY: '$A_KEY', B_KEY: '$B_KEY' } } } });
  expect(json(text)).toEqual({ kind: 'complete' });
  const mine = JSON.stringify({ mcpServers: { divisi: { command: 'mine', env: { A_KEY: 'own' } } } });
  const extended = json(mine);
  expect(extended).toMatchObject({ kind: 'extend', lacks: ['B_KEY'] });
  expect(JSON.parse('text' in extended ? extended.text : '')).toEqual({
    mcpServers: { divisi: { command: 'mine', env: { A_KEY: 'own', B_KEY: '$B_KEY' } } },
  });
});

it.each(['// mine\n{}', '[]', '{"mcpServers":[]}', '{"mcpServers":{"divisi":"x"}}'])(
  'JSON: leaves %j to a person',
  (text) => {
    expect(json(text)).toMatchObject({ kind: 'by-hand' });
  },
);

it.each([
  ['', 'extensions:\n  divisi:\n    cmd: divisi\n'],
  ['a: 1', 'a: 1\nextensions:\n  divisi:\n    cmd: divisi\n'],
  ['extensions:\n  x:\n    a: 1\nb: 2\n', 'extensions:\n  divisi:\n    cmd: divisi\n  x:\n    a: 1\nb: 2\n'],
])('YAML: adds the entry to %j', (before, after) => {
  expect(yamlEntry(before, ['cmd: divisi'])).toMatchObject({ kind: 'add', text: after });
  expect(yamlEntry(after, ['cmd: divisi'])).toEqual({ kind: 'complete' });
});

it.each(['extensions: {x: {a: 1}}\n', 'extensions:\n      x:\n        a: 1\n', '- a\n', 'a: [\n'])(
  'YAML: leaves %j to a person',
  (text) => {
    expect(yamlEntry(text, ['cmd: divisi'])).toMatchObject({ kind: 'by-hand' });
  },
);

it('names what agents and Divisi read, and nothing else', () => {
  const environment = {
    PATH: '/bin',
    HOME: '/h',
    ANTHROPIC_API_KEY: 'k',
    GH_TOKEN: '',
    DIVISI_STATE: '/s',
    FOO_KEY: 'f',
  };
  expect(variablesNeeded(environment, undefined)).toEqual(['ANTHROPIC_API_KEY', 'DIVISI_STATE']);
});
