/**
 * McpHost: what is specific to one program that starts `divisi mcp`, as data: where its settings are, how an entry is written, and which
 * variables reach a server only by name. Measured on the programs that `tests/clients` pins.
 */
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '../../base/json-value.ts';
import type { PassedVariable } from './passed-variable.ts';

export const hostNames = ['claude', 'codex', 'gemini', 'copilot', 'goose', 'opencode'] as const;
export type HostName = (typeof hostNames)[number];

export interface McpHost {
  readonly title: string;
  readonly file: (environment: NodeJS.ProcessEnv, project: string) => string;
  /** Of these variables, those that the entry must name. */
  readonly names: (needed: readonly string[]) => readonly PassedVariable[];
  readonly format: EntryFormat;
}

/** Seconds and milliseconds: a run takes hours, and each host gives up sooner. */
const [day, dayInMs] = [86_400, 86_400_000];

export type EntryFormat =
  | { readonly kind: 'toml'; readonly lines: readonly string[] }
  | { readonly kind: 'yaml'; readonly lines: readonly string[] }
  | {
      readonly kind: 'json';
      /** The object that has the entries. */
      readonly under: string;
      readonly entry: JsonObject;
      /** How the entry refers to a variable of the host. */
      readonly reference?: (from: string) => string;
    };

const homeOf = ({ HOME: home = homedir() }: NodeJS.ProcessEnv): string => home;
const configOf = (environment: NodeJS.ProcessEnv): string =>
  environment['XDG_CONFIG_HOME'] || join(homeOf(environment), '.config');

const none = (): readonly PassedVariable[] => [];
const same = (needed: readonly string[]): readonly PassedVariable[] => needed.map((name) => ({ name, from: name }));

/** Copilot removes these from its own environment, so an entry cannot refer to them. */
const keptByCopilot =
  /^(?:ANTHROPIC_API_KEY|OPENAI_API_KEY|OPENAI_BASE_URL|GITHUB_TOKEN|COPILOT_GITHUB_TOKEN|COPILOT_PROVIDER_.*)$/;

export const mcpHosts: Readonly<Record<HostName, McpHost>> = {
  claude: {
    title: 'Claude Code',
    file: (_, project) => join(project, '.mcp.json'),
    names: none,
    format: { kind: 'json', under: 'mcpServers', entry: { command: 'divisi', args: ['mcp'] } },
  },
  codex: {
    title: 'Codex',
    file: (environment) => join(environment['CODEX_HOME'] || join(homeOf(environment), '.codex'), 'config.toml'),
    names: same,
    format: { kind: 'toml', lines: ['command = "divisi"', 'args = ["mcp"]', `tool_timeout_sec = ${day}`] },
  },
  gemini: {
    title: 'Gemini CLI',
    file: (environment) => join(homeOf(environment), '.gemini/settings.json'),
    names: same,
    format: {
      kind: 'json',
      under: 'mcpServers',
      entry: { command: 'divisi', args: ['mcp'], timeout: dayInMs },
      reference: (from) => `$${from}`,
    },
  },
  copilot: {
    title: 'Copilot',
    file: (environment) => join(homeOf(environment), '.copilot/mcp-config.json'),
    names: (needed) =>
      needed.filter((name) => keptByCopilot.test(name)).map((name) => ({ name, from: `DIVISI_${name}` })),
    format: {
      kind: 'json',
      under: 'mcpServers',
      entry: { type: 'local', command: 'divisi', args: ['mcp'], tools: ['*'] },
      reference: (from) => `\${${from}}`,
    },
  },
  goose: {
    title: 'Goose',
    file: (environment) => join(configOf(environment), 'goose/config.yaml'),
    names: none,
    format: {
      kind: 'yaml',
      lines: ['type: stdio', 'name: divisi', 'enabled: true', 'cmd: divisi', 'args: [mcp]', `timeout: ${day}`],
    },
  },
  opencode: {
    title: 'OpenCode',
    file: (environment) => join(configOf(environment), 'opencode/opencode.json'),
    names: none,
    format: { kind: 'json', under: 'mcp', entry: { type: 'local', command: ['divisi', 'mcp'], enabled: true } },
  },
};
