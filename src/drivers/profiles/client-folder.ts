/**
 * Client folder: a folder in which an agent program keeps its own files, and what a confined one may do with each of them. Whatever
 * is not named here, the program may write for as long as it runs; it is gone afterwards.
 */
export interface ClientFolder {
  /** Relative to the home. */
  readonly folder: string;
  /** Variables that name it instead: the folder itself, or one that it is in. The first one is set for a program with a copy. */
  readonly variables?: readonly { readonly name: string; readonly folder: string }[];
  /** Conversations and logs, which outlive the program: folders, kept for the project. `all`: the whole folder. */
  readonly kept: readonly string[] | 'all';
  /** Log-in: files of the user that the program renews. */
  readonly logIn: readonly string[];
  /** A file that it reads and rewrites all the time, settings included: it gets a copy, in the folder. */
  readonly copied?: { readonly name: string; readonly from: 'folder' | 'home' };
  /** Folders that it obeys and cannot start without writing to: empty at each start, and not kept. */
  readonly forgotten?: readonly string[];
  /** What it obeys: settings, hooks, agents, plugins, memory. Read-only, empty where absent. Folders end in `/`. */
  readonly obeyed: readonly string[];
}

const names = (text: string): string[] => text.split(/\s+/);

const obeyedByClaude =
  names(`settings.json settings.local.json CLAUDE.md keybindings.json hooks/ agents/ commands/ skills/ plugins/ rules/
      output-styles/ workflows/ agent-memory/`);

export const claudeFolders: readonly ClientFolder[] = [
  {
    folder: '.claude',
    variables: [{ name: 'CLAUDE_CONFIG_DIR', folder: '' }],
    kept: ['projects/', 'debug/', 'file-history/', 'sessions/'],
    logIn: ['.credentials.json'],
    copied: { name: '.claude.json', from: 'home' },
    obeyed: obeyedByClaude,
  },
];

export const codexFolders: readonly ClientFolder[] = [
  {
    folder: '.codex',
    variables: [{ name: 'CODEX_HOME', folder: '' }],
    kept: ['sessions/', 'archived_sessions/', 'log/'],
    logIn: ['auth.json'],
    obeyed:
      names(`config.toml AGENTS.md AGENTS.override.md hooks.json managed_config.toml requirements.toml .env hooks/ agents/
      prompts/ rules/ skills/ plugins/ memories/`),
  },
];

export const geminiFolders: readonly ClientFolder[] = [
  {
    folder: '.gemini',
    variables: [{ name: 'GEMINI_CLI_HOME', folder: '.gemini' }],
    kept: ['tmp/', 'history/'],
    logIn: ['oauth_creds.json', 'google_accounts.json', 'gemini-credentials.json'],
    obeyed:
      names(`settings.json GEMINI.md AGENTS.md .env system.md trustedFolders.json hooks/ agents/ commands/ extensions/
      policies/ skills/ memory/`),
  },
];

export const opencodeFolders: readonly ClientFolder[] = [
  {
    folder: '.local/share/opencode',
    variables: [{ name: 'XDG_DATA_HOME', folder: 'opencode' }],
    kept: 'all',
    logIn: ['auth.json', 'mcp-auth.json'],
    obeyed: ['bin/', 'plugins/'],
  },
  {
    folder: '.local/state/opencode',
    variables: [{ name: 'XDG_STATE_HOME', folder: 'opencode' }],
    kept: [],
    logIn: [],
    obeyed: [],
  },
  {
    folder: '.config/opencode',
    variables: [{ name: 'XDG_CONFIG_HOME', folder: 'opencode' }],
    kept: [],
    logIn: [],
    obeyed:
      names(`opencode.json opencode.jsonc config.json AGENTS.md agent/ agents/ command/ commands/ mode/ modes/ plugin/
      plugins/ skill/ skills/ tool/ tools/ themes/`),
  },
];

export const gooseFolders: readonly ClientFolder[] = [
  {
    folder: '.config/goose',
    variables: [
      { name: 'GOOSE_PATH_ROOT', folder: 'config' },
      { name: 'XDG_CONFIG_HOME', folder: 'goose' },
    ],
    kept: [],
    logIn: ['secrets.yaml'],
    obeyed:
      names(`config.yaml .goosehints AGENTS.md permission.yaml permissions/ recipes/ prompts/ custom_providers/ agents/
      skills/ plugins/ memory/`),
  },
  {
    folder: '.local/share/goose',
    variables: [
      { name: 'GOOSE_PATH_ROOT', folder: 'data' },
      { name: 'XDG_DATA_HOME', folder: 'goose' },
    ],
    kept: 'all',
    logIn: [],
    forgotten: ['apps'],
    obeyed: ['plugins/'],
  },
  {
    folder: '.local/state/goose',
    variables: [
      { name: 'GOOSE_PATH_ROOT', folder: 'state' },
      { name: 'XDG_STATE_HOME', folder: 'goose' },
    ],
    kept: 'all',
    logIn: [],
    obeyed: [],
  },
];

export const copilotFolders: readonly ClientFolder[] = [
  {
    folder: '.copilot',
    variables: [{ name: 'COPILOT_HOME', folder: '' }],
    kept: ['session-state/', 'history-session-state/', 'logs/'],
    logIn: [],
    copied: { name: 'config.json', from: 'folder' },
    obeyed: names(`settings.json mcp-config.json lsp-config.json permissions-config.json agents/
      copilot-instructions.md instructions/ hooks/ skills/ plugins/ installed-plugins/ extensions/`),
  },
];
