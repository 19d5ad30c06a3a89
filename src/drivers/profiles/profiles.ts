/** Lists the agent programs that Divisi knows, in display order. */
import { defined } from '../../base/defined.ts';
import type { JsonObject } from '../../base/json-value.ts';
import type { ProgramName } from '../../config/client-settings.ts';
import { claude as claudeOneShot, readMemory } from '../one-shot/claude.ts';
import { codex as codexOneShot } from '../one-shot/codex.ts';
import { gemini as geminiOneShot } from '../one-shot/gemini.ts';
import { opencode as opencodeOneShot } from '../one-shot/opencode.ts';
import * as folders from './client-folder.ts';
import * as failures from './failure-rows.ts';
import type { Profile } from './profile.ts';

/** Every known program speaks ACP. */
export type KnownProfile = Profile & Required<Pick<Profile, 'acp'>> & { readonly name: ProgramName };

const claude: KnownProfile = {
  name: 'claude',
  title: 'Claude Code',
  install: 'npm install -g @anthropic-ai/claude-code (and @agentclientprotocol/claude-agent-acp to drive it over ACP)',
  access: 'Run `claude` and log in, or set ANTHROPIC_API_KEY; then `divisi doctor`.',
  environment: ['ANTHROPIC_*', 'CLAUDE_CODE_OAUTH_TOKEN', 'CLAUDE_CODE_MAX_RETRIES', 'CLAUDE_CONFIG_DIR', 'IS_SANDBOX'],
  // Ten by default: three minutes.
  defaults: { CLAUDE_CODE_MAX_RETRIES: '5' },
  tiers: { fast: { model: 'haiku' }, standard: { model: 'sonnet' }, deep: { model: 'opus' } },
  folders: folders.claudeFolders,
  acp: {
    argv: ['claude-agent-acp'],
    variables: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' },
    meta: {
      systemPrompt: { append: readMemory },
      claudeCode: {
        // Settings in the tree start programs: hooks, helpers, MCP servers.
        options: { promptSuggestions: false, title: 'divisi', settingSources: ['user'] },
        // Its adapter is silent while the client retries.
        emitRawSDKMessages: [{ type: 'system', subtype: 'api_retry' }],
      },
    },
    mode: 'acceptEdits',
    reviewMode: 'default',
    limitTools: (tools) => ({ claudeCode: { options: { tools: tools.map((tool) => tool.replace(/\(.*$/s, '')) } } }),
    passLimits: ({ turns, cost }) => ({
      claudeCode: { options: defined({ maxTurns: turns, maxBudgetUsd: cost }) as JsonObject },
    }),
    limitErrors: { turns: /Reached maximum number of turns/, cost: /Reached maximum budget/ },
    limits: { turns: 'client', tokens: 'after-turn', cost: 'client' },
    usage: 'turn',
    resumes: true,
  },
  oneShot: claudeOneShot,
  failures: failures.claudeFailures,
};

const codex: KnownProfile = {
  name: 'codex',
  title: 'Codex',
  install: 'npm install -g @openai/codex (and @agentclientprotocol/codex-acp to drive it over ACP)',
  access: 'Run `codex login`, or set OPENAI_API_KEY; then `divisi doctor`.',
  environment: ['OPENAI_*', 'CODEX_HOME', 'CODEX_API_KEY', 'MODEL_PROVIDER'],
  tiers: { fast: { effort: 'low' }, standard: { effort: 'medium' }, deep: { effort: 'high' } },
  folders: folders.codexFolders,
  acp: {
    argv: ['codex-acp'],
    variables: {},
    mode: 'workspace-write',
    reviewMode: 'read-only',
    confinedMode: 'agent-full-access',
    // Its commands cannot write then. Only some of its models have a tool for patches, about which it asks.
    reviewsReadOnly: true,
    // Commands in its sandbox run without a request: a request is about leaving it.
    permissions: { execute: 'refuse' },
    noise: /^Warning: /,
    // Several that start at once with a new home conflict.
    startAgain: /state runtime|"restartable":true/,
    nameSession: 'session/set_title',
    limits: { turns: 'counted', tokens: 'after-turn', cost: 'unknown' },
    usage: 'turn',
    resumes: true,
  },
  oneShot: codexOneShot,
  failures: failures.codexFailures,
};

const gemini: KnownProfile = {
  name: 'gemini',
  title: 'Gemini CLI',
  install: 'npm install -g @google/gemini-cli',
  access: 'Run `gemini` and log in, or set GEMINI_API_KEY; then `divisi doctor`.',
  environment: ['GEMINI_*', 'GOOGLE_*'],
  tiers: {
    fast: { model: 'gemini-2.5-flash' },
    standard: { model: 'gemini-2.5-pro' },
    deep: { model: 'gemini-2.5-pro' },
  },
  folders: folders.geminiFolders,
  acp: {
    argv: ['gemini', '--acp', '--skip-trust'],
    // Settings in the tree, which start programs, are not trusted; its check for headless use is skipped.
    variables: { GEMINI_CLI_NO_RELAUNCH: 'true', GEMINI_CLI_TRUST_WORKSPACE: 'false' },
    mode: 'default',
    limits: { turns: 'counted', tokens: 'after-turn', cost: 'unknown' },
    usage: 'quota-meta',
    resumes: false,
  },
  oneShot: geminiOneShot,
  failures: failures.geminiFailures,
};

const opencode: KnownProfile = {
  name: 'opencode',
  title: 'OpenCode',
  install: 'npm install -g opencode-ai',
  access: 'Run `opencode auth login`, or set the key of your provider; then `divisi doctor`.',
  environment: ['OPENCODE_*', 'ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENROUTER_API_KEY', 'GEMINI_API_KEY'],
  tiers: { fast: {}, standard: {}, deep: {} },
  folders: folders.opencodeFolders,
  acp: {
    argv: ['opencode', 'acp'],
    variables: {},
    settings: {
      OPENCODE_CONFIG_CONTENT: {
        agent: { title: { disable: true } },
        permission: { edit: 'ask', bash: 'ask', webfetch: 'ask', external_directory: 'ask' },
      },
    },
    limits: { turns: 'counted', tokens: 'unknown', cost: 'after-turn' },
    usage: 'last-call',
    resumes: true,
    resumesHereOnly: true,
  },
  oneShot: opencodeOneShot,
  failures: failures.opencodeFailures,
};

const goose: KnownProfile = {
  name: 'goose',
  title: 'Goose',
  install: 'install Goose and put its goose program on the PATH',
  access: 'Run `goose configure`, or set the key of your provider; then `divisi doctor`.',
  environment: ['GOOSE_*', 'ANTHROPIC_*', 'OPENAI_*', 'OPENROUTER_API_KEY', 'GOOGLE_API_KEY'],
  tiers: { fast: {}, standard: {}, deep: {} },
  folders: folders.gooseFolders,
  acp: {
    argv: ['goose', 'acp'],
    variables: { GOOSE_DISABLE_SESSION_NAMING: 'true' },
    mode: 'approve',
    errorText: /^Ran into this error|^Network error:|^The model returned an empty response/,
    limits: { turns: 'counted', tokens: 'unknown', cost: 'unknown' },
    usage: 'last-call',
    resumes: true,
  },
  failures: failures.gooseFailures,
};

const copilot: KnownProfile = {
  name: 'copilot',
  title: 'Copilot CLI',
  install: 'npm install -g @github/copilot',
  access: 'Run `copilot` and log in with /login, or set GH_TOKEN; then `divisi doctor`.',
  environment: ['COPILOT_*', 'GH_TOKEN', 'GITHUB_TOKEN'],
  tiers: { fast: {}, standard: {}, deep: {} },
  folders: folders.copilotFolders,
  acp: {
    argv: ['copilot', '--acp'],
    variables: {},
    submits: 'http',
    noise: /^Info: /,
    errorText: /^Error: /,
    limits: { turns: 'counted', tokens: 'after-turn', cost: 'unknown' },
    usage: 'session',
    resumes: true,
  },
  failures: failures.copilotFailures,
};

const known: Readonly<Record<ProgramName, KnownProfile>> = { claude, codex, gemini, opencode, goose, copilot };

export const profiles: readonly KnownProfile[] = Object.values(known);

export function profileOf(name: ProgramName): KnownProfile {
  return known[name];
}
