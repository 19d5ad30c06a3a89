import { describe, expect, it } from 'vitest';
import { agentEnvironment } from './agent-environment.ts';
import { profiles } from './profiles/profiles.ts';

const folders = {
  XDG_CONFIG_HOME: '/home/a/x',
  XDG_DATA_HOME: '/home/a/d',
  XDG_STATE_HOME: '/home/a/s',
  XDG_CACHE_HOME: '/home/a/c',
};
const network = {
  HTTPS_PROXY: 'http://proxy',
  HTTP_PROXY: 'http://proxy',
  NO_PROXY: 'local',
  https_proxy: 'http://proxy',
  http_proxy: 'http://proxy',
  no_proxy: 'local',
  SSL_CERT_FILE: '/ca',
  SSL_CERT_DIR: '/cas',
  NODE_EXTRA_CA_CERTS: '/ca',
};
/** Each lets one of the programs do more than it is started with. */
const loosening = {
  OPENCODE_PERMISSION: '{"*":"allow"}',
  OPENCODE_TEST_MANAGED_CONFIG_DIR: '/home/a/managed',
  COPILOT_ALLOW_ALL: 'true',
  COPILOT_ALLOW_ALL_TOOLS: 'true',
  GOOSE_MODE: 'auto',
  GEMINI_CLI_SYSTEM_SETTINGS_PATH: '/home/a/g.json',
  GEMINI_CLI_SYSTEM_DEFAULTS_PATH: '/home/a/g.json',
  GEMINI_CLI_TRUST_WORKSPACE: 'true',
  GEMINI_CLI_TRUSTED_FOLDERS_PATH: '/home/a/t.json',
  CLAUDE_CODE_ANYTHING: '1',
  CODEX_CONFIG: '{"approval_policy":"never"}',
};
const strange = { AWS_SECRET_ACCESS_KEY: 'no', SSH_AUTH_SOCK: '/x', NODE_OPTIONS: '--x', XDG_RUNTIME_DIR: '/run' };
const usual = { PATH: '/bin', HOME: '/home/a' };
/** Every program gets it: a room has the pointers of large files. */
const pointers = { GIT_LFS_SKIP_SMUDGE: '1' };
/** A `divisi` that the agent starts finds its run there. */
const state = { DIVISI_STATE: `${folders.XDG_STATE_HOME}/divisi` };
const own = { ...usual, ...folders, ...network, ...loosening, ...strange };

describe.each(profiles)('$name', ({ environment }) => {
  it('gets how the network is reached and where the user keeps things, and nothing that loosens its rights', () => {
    const given = agentEnvironment({ own, environment, variables: {} });
    expect(given).toEqual({ ...usual, ...pointers, ...folders, ...network, ...state });
  });

  it('gets nothing that leads to the home of the user when it has its own, but the state of Divisi', () => {
    const more = { CODEX_HOME: '/home/a/c', COPILOT_CACHE_HOME: '/home/a/h', OPENCODE_DB: '/home/a/db' };
    const given = agentEnvironment({ own: { ...own, ...more }, environment, variables: {}, home: '/its/own' });
    expect(given).toEqual({ ...usual, ...pointers, ...network, ...state, HOME: '/its/own' });
  });

  it('gets what loosens its rights where someone has asked for it by its name', () => {
    const all = Object.keys(loosening);
    const named = agentEnvironment({ own, environment: [...environment, ...all], variables: {} });
    expect(named).toMatchObject(loosening);
    const set = agentEnvironment({ own: usual, environment, variables: loosening });
    expect(set).toEqual({ ...usual, ...pointers, ...loosening, DIVISI_STATE: '/home/a/.local/state/divisi' });
  });
});

it('does not pass variables that loosen rights by a prefix', () => {
  const environment = ['OPENCODE_*', 'GOOSE_*', 'CLAUDE_CODE_*'];
  const some = { OPENCODE_API_KEY: 'k', GOOSE_PROVIDER: 'p', DIVISI_STATE: '/s', ...loosening };
  expect(agentEnvironment({ own: some, environment, variables: {} })).toEqual({
    ...pointers,
    OPENCODE_API_KEY: 'k',
    GOOSE_PROVIDER: 'p',
    CLAUDE_CODE_ANYTHING: '1',
    DIVISI_STATE: '/s',
  });
});

it.each([
  ['claude', { ANTHROPIC_API_KEY: 'k', CLAUDE_CODE_OAUTH_TOKEN: 'k', ANTHROPIC_CUSTOM_HEADERS: 'X: y' }],
  ['codex', { OPENAI_API_KEY: 'k', CODEX_API_KEY: 'k', MODEL_PROVIDER: 'p' }],
  ['gemini', { GEMINI_API_KEY: 'k', GOOGLE_GEMINI_BASE_URL: 'u', GOOGLE_APPLICATION_CREDENTIALS: '/f' }],
  ['opencode', { OPENCODE_API_KEY: 'k', OPENCODE_CONFIG_CONTENT: '{}', OPENAI_API_KEY: 'k' }],
  ['goose', { GOOSE_PROVIDER: 'p', GOOSE_MODEL: 'm', OPENAI_API_KEY: 'k' }],
  ['copilot', { COPILOT_PROVIDER_API_KEY: 'k', COPILOT_MODEL: 'm', GH_TOKEN: 'k' }],
])('%s gets the keys and addresses of its vendor', (name, keys) => {
  const environment = profiles.find((profile) => profile.name === name)?.environment ?? [];
  const own = { ...keys, DIVISI_STATE: '/s' };
  expect(agentEnvironment({ own, environment, variables: {}, home: '/its/own' })).toEqual({
    ...pointers,
    ...own,
    HOME: '/its/own',
  });
});
