/** A real program as the MCP host of this Divisi, without a person: its settings name `divisi mcp`, and everything said between the two is kept. */
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { configureHome, environment, mainFile, sayYes } from '../../support/divisi.ts';
import { object } from '../model-api/fields.ts';
import { type ModelApi, startModelApi } from '../model-api/model-api.ts';
import type { JsonObject, ModelRequest, Script, Step } from '../model-api/script.ts';
import { type ClientName, pointAt, programPath } from '../programs.ts';

export interface HostEnd {
  readonly code: number | null;
  readonly output: string;
}

export interface Host {
  readonly api: ModelApi;
  readonly project: string;
  readonly home: string;
  /** What `divisi` is to be started with in a terminal beside it. */
  readonly env: Readonly<Record<string, string>>;
  /** One headless process of the program, from the first word to its end. */
  readonly tell: (prompt: string) => Promise<HostEnd>;
  /** The messages that the program sent to the server, in order. */
  readonly sent: () => readonly JsonObject[];
  /** The variables that the newest server was started with. */
  readonly variablesPassed: () => Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
}

export interface HostSetting {
  readonly client: ClientName;
  /** Whoever gives it removes it. */
  readonly root: string;
  readonly project: string;
  readonly script: Script;
  readonly variables?: Readonly<Record<string, string>>;
  /** The host's entry for the server is written by someone else. */
  readonly isUnset?: true;
  /** More of the entry, as the host writes it. */
  readonly entry?: string;
}

/** Arguments of one headless process that allows every tool. */
const headless: Readonly<Record<ClientName, (prompt: string) => readonly string[]>> = {
  claude: (prompt) => ['-p', prompt, '--permission-mode', 'bypassPermissions'],
  codex: (prompt) => ['exec', '--json', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', prompt],
  gemini: (prompt) => ['-p', prompt, '-m', 'gemini-2.5-flash', '--approval-mode', 'yolo', '--skip-trust'],
  opencode: (prompt) => ['run', '--format', 'json', '--auto', prompt],
  goose: (prompt) => ['run', '--no-session', '-t', prompt],
  copilot: (prompt) => ['-p', prompt, '--allow-all-tools'],
};

const json = (file: string, added: JsonObject): void => {
  const before = existsSync(file) ? object(JSON.parse(readFileSync(file, 'utf8'))) : {};
  put(file, JSON.stringify({ ...before, ...added }));
};

function put(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** Where Divisi keeps its state during tests. */
function ownPlaces(): Readonly<Record<string, string>> {
  const { DIVISI_STATE = '', DIVISI_ROOMS = '', NODE_COMPILE_CACHE = '' } = environment('');
  return { DIVISI_STATE, DIVISI_ROOMS, NODE_COMPILE_CACHE };
}

const command = { command: 'divisi', args: ['mcp'] };

/** The plainest entry that each host's own documentation shows. */
const entries: Readonly<Record<ClientName, (home: string, more: string) => void>> = {
  claude: (home) => json(join(home, '.claude.json'), { mcpServers: { divisi: command } }),
  codex: (home, more) => {
    const file = join(home, '.codex/config.toml');
    // Codex passes on nothing else, and the test looks where Divisi keeps its state.
    const names = JSON.stringify(Object.keys(ownPlaces()));
    const entry = `\n[mcp_servers.divisi]\ncommand = "divisi"\nargs = ["mcp"]\nenv_vars = ${names}\n${more}\n`;
    put(file, readFileSync(file, 'utf8') + entry);
  },
  gemini: (home) => json(join(home, '.gemini/settings.json'), { mcpServers: { divisi: command } }),
  opencode: (home) =>
    json(join(home, '.config/opencode/opencode.json'), {
      mcp: { divisi: { type: 'local', command: ['divisi', 'mcp'] } },
    }),
  goose: (home, more) =>
    put(
      join(home, '.config/goose/config.yaml'),
      `extensions:\n  divisi:\n    type: stdio\n    name: divisi\n    enabled: true\n    cmd: divisi\n    args: [mcp]\n${more}`,
    ),
  copilot: (home) =>
    json(join(home, '.copilot/mcp-config.json'), {
      mcpServers: { divisi: { type: 'local', tools: ['*'], ...command } },
    }),
};

/** Passes everything on, and keeps what the host says. */
const tap = `
import { spawn } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
const [root, main, ...args] = process.argv.slice(2);
const isServer = args[0] === 'mcp';
if (isServer) writeFileSync(root + '/variables.json', JSON.stringify(process.env));
const child = spawn(process.execPath, [main, ...args], { stdio: isServer ? ['pipe', 'pipe', 'inherit'] : 'inherit' });
if (isServer) {
  const keep = (name) => (piece) => appendFileSync(root + '/' + name, piece);
  process.stdin.on('data', keep('sent.jsonl')).pipe(child.stdin);
  child.stdout.on('data', keep('answered.jsonl')).pipe(process.stdout);
}
child.on('exit', (code) => process.exit(code ?? 1));
`;

function divisiIn(root: string): string {
  const folder = join(root, 'bin');
  put(join(folder, 'tap.mjs'), tap);
  put(
    join(folder, 'divisi'),
    `#!/bin/sh\nexec '${process.execPath}' '${join(folder, 'tap.mjs')}' '${root}' '${mainFile}' "$@"\n`,
  );
  chmodSync(join(folder, 'divisi'), 0o755);
  return folder;
}

export async function openHost({
  client,
  root,
  project,
  script,
  variables = {},
  isUnset,
  entry = '',
}: HostSetting): Promise<Host> {
  await sayYes(project);
  const api = await startModelApi(script);
  const home = join(root, 'home');
  mkdirSync(home, { recursive: true });
  configureHome(home);
  const pointing = pointAt(api.url, client, home);
  if (isUnset === undefined) entries[client](home, entry);
  const env = {
    ...pointing,
    ...ownPlaces(),
    PATH: [divisiIn(root), dirname(process.execPath), '/usr/bin', '/bin'].join(':'),
    SHELL: '/bin/bash',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    ...variables,
  };
  const program = programPath(client);
  const [file, first] = program.endsWith('.js') ? [process.execPath, [program]] : [program, []];
  const ends: (() => Promise<unknown>)[] = [];
  return {
    api,
    project,
    home,
    env,
    tell: async (prompt) => {
      // In a session of its own: the terminal of whoever runs the tests is not its own.
      const child = spawn(file, [...first, ...headless[client](prompt)], {
        cwd: project,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      });
      const ended = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
      ends.push(() => (child.kill('SIGKILL'), ended));
      const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
      return { code, output: `${out}\n${err}` };
    },
    sent: () => {
      const path = join(root, 'sent.jsonl');
      const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
      return lines.flatMap((line) => (line === '' ? [] : [object(JSON.parse(line))]));
    },
    variablesPassed: () => JSON.parse(readFileSync(join(root, 'variables.json'), 'utf8')) as Record<string, string>,
    close: async () => {
      await Promise.all(ends.map((end) => end()));
      await api.close();
    },
  };
}

/** Calls our tool by the name that the program has given it. */
export function callOurs({ tools }: ModelRequest, tool: string, input: JsonObject): Step {
  const found = tools.find(
    ({ name, namespace = '' }) => `${namespace}_${name}`.includes('divisi') && name.endsWith(tool),
  );
  if (found === undefined) throw new Error(`no tool ${tool} of Divisi: ${tools.map(({ name }) => name).join(', ')}`);
  const { name, namespace } = found;
  return { does: 'call', calls: [{ name, ...(namespace === undefined ? {} : { namespace }), input }] };
}
