/**
 * The agent programs that are driven for real: where they are, and what points each at a model API of ours. They are those of
 * `package.json` beside this file; none is installed by its scripts, and the native ones are called directly.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const modules = join(import.meta.dirname, 'node_modules');

/** By its name on the PATH, where a program is inside of `node_modules`. */
const paths = {
  claude: '@anthropic-ai/claude-code-linux-x64/claude',
  // A hundred versions before it.
  'claude-older': 'claude-code-older/claude',
  codex: '@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex',
  gemini: '@google/gemini-cli/bundle/gemini.js',
  opencode: 'opencode-linux-x64/bin/opencode',
  goose: '@aaif/goose-binary-linux-x64/bin/goose',
  copilot: '@github/copilot-linux-x64/copilot',
  'claude-agent-acp': '@agentclientprotocol/claude-agent-acp/dist/index.js',
  'codex-acp': '@agentclientprotocol/codex-acp/dist/index.js',
} as const;

const ripgrep = '@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/codex-path/rg';

export type ProgramName = keyof typeof paths;

/** The programs as a user has them: one of these per profile. */
export type ClientName = 'claude' | 'codex' | 'gemini' | 'opencode' | 'goose' | 'copilot';

export function programPath(name: ProgramName): string {
  const path = join(modules, paths[name]);
  if (!existsSync(path)) throw new Error(`${name} is not installed: run npm ci --ignore-scripts in tests/clients`);
  return path;
}

/** Fills a folder with all of them under their plain names, to be put on a PATH. */
export function programsIn(folder: string): string {
  mkdirSync(folder, { recursive: true });
  for (const name of Object.keys(paths) as ProgramName[]) {
    const path = programPath(name);
    const link = join(folder, name);
    if (!path.endsWith('.js')) symlinkSync(path, link);
    else {
      writeFileSync(link, `#!/bin/sh\nexec '${process.execPath}' '${path}' "$@"\n`);
      chmodSync(link, 0o755);
    }
  }
  symlinkSync(process.execPath, join(folder, 'node'));
  // OpenCode downloads ripgrep where there is none, and waits for it.
  symlinkSync(join(modules, ripgrep), join(folder, 'rg'));
  return folder;
}

/** What a program reads to find the model API: variables, and files of its HOME. Keys are dummies. */
interface Pointing {
  readonly variables: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
}

const key = 'dummy-key';

/** As npm leaves a folder: OpenCode otherwise installs this package at every start, from the registry, until it has it. */
function installed(folder: string, name: string): Readonly<Record<string, string>> {
  const dependencies = { [name]: '*' };
  return {
    [`${folder}/package.json`]: JSON.stringify({ dependencies }),
    [`${folder}/package-lock.json`]: JSON.stringify({ lockfileVersion: 3, packages: { '': { dependencies } } }),
    [`${folder}/node_modules/${name}/package.json`]: JSON.stringify({ name, version: '0.0.0' }),
  };
}

const pointings: Readonly<Record<ClientName, (url: string, home: string) => Pointing>> = {
  claude: (url) => ({
    variables: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: key,
      // As root it otherwise refuses to work without asking.
      IS_SANDBOX: '1',
      CLAUDE_CODE_MAX_RETRIES: '1',
    },
  }),
  codex: (url, home) => ({
    variables: { OPENAI_API_KEY: key, CODEX_HOME: join(home, '.codex') },
    files: {
      '.codex/config.toml': `model = "mock-codex"
model_provider = "mock"
check_for_update_on_startup = false

[model_providers.mock]
name = "mock"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "OPENAI_API_KEY"
request_max_retries = 1
stream_max_retries = 1
`,
    },
  }),
  gemini: (url) => ({
    variables: { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: key },
    files: {
      '.gemini/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' } },
        general: { maxAttempts: 2, enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
      }),
    },
  }),
  opencode: (url) => ({
    variables: { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' },
    files: {
      ...installed('.config/opencode', '@opencode-ai/plugin'),
      '.config/opencode/opencode.json': JSON.stringify({
        model: 'mock/mock-opencode',
        autoupdate: false,
        provider: {
          mock: {
            npm: '@ai-sdk/openai-compatible',
            name: 'mock',
            options: { baseURL: `${url}/v1`, apiKey: key },
            models: { 'mock-opencode': { name: 'mock-opencode', limit: { context: 200_000, output: 8_000 } } },
          },
        },
      }),
    },
  }),
  goose: (url) => ({
    variables: {
      GOOSE_PROVIDER: 'openai',
      GOOSE_MODEL: 'mock-goose',
      OPENAI_HOST: url,
      OPENAI_API_KEY: key,
      GOOSE_DISABLE_KEYRING: '1',
    },
  }),
  copilot: (url) => ({
    variables: {
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: key,
      COPILOT_MODEL: 'mock-copilot',
      COPILOT_OFFLINE: 'true',
    },
  }),
};

/** Writes the files and gives the variables, HOME included. */
export function pointAt(url: string, client: ClientName, home: string): Readonly<Record<string, string>> {
  const { variables, files = {} } = pointings[client](url, home);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  return { ...variables, HOME: home };
}

/** By name, the versions that `package.json` pins. */
export function pinnedVersions(): Readonly<Record<string, string>> {
  const { dependencies } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  return dependencies;
}
