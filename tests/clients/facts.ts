/** Facts about each program, measured on the pinned versions. */
import type { OneShotName } from '../../src/config/client-settings.ts';
import type { TurnFailure } from '../../src/drivers/driver.ts';
import type { TurnUsage } from '../../src/dialects/usage.ts';
import type { Step } from './model-api/script.ts';
import type { ClientName } from './programs.ts';

export interface ClientFacts {
  readonly client: ClientName;
  readonly way: 'acp' | 'one-shot';
  /** How its agent returns; a message is no way of its own. */
  readonly via: 'tool' | 'schema' | undefined;
  /** Model calls of a task that writes a file and returns: none is hidden. */
  readonly calls: number;
  /** What it says of them, each of 110 tokens. */
  readonly usage: Omit<TurnUsage, 'source' | 'cost'>;
  /** Where it finds a conversation again in another process: in any folder, in the one it began in, or nowhere. */
  readonly resumes: 'anywhere' | 'here' | 'nowhere';
  /** Whether we hear that a write outside of its folder is refused: some refuse it by themselves and tell their agent alone. */
  readonly outside: 'told' | 'silent' | 'either';
  /** What it needs to be able to write a report as a reviewer, beside the usual. */
  readonly reviewing?: Readonly<Record<string, string>>;
  /** How its provider says now that a limit is met, and what we make of that; absent where it waits and says nothing. */
  readonly quota?: () => Limit;
}

interface Limit {
  readonly step: Step;
  readonly variables?: Readonly<Record<string, string>>;
  /** Seconds until it is there again. */
  readonly after?: number;
  readonly cause: TurnFailure['cause'];
}

const soon = 5400;
const at = (): number => Math.round(Date.now() / 1000) + soon;

/** With a subscription; by an API key there is no time. */
const claudeLimit = (): Limit => ({
  step: {
    does: 'fail',
    status: 429,
    message: 'This request would exceed the rate limit of your account.',
    headers: {
      'anthropic-ratelimit-unified-status': 'rejected',
      'anthropic-ratelimit-unified-reset': String(at()),
      'anthropic-ratelimit-unified-representative-claim': 'five_hour',
    },
  },
  variables: { ANTHROPIC_API_KEY: '', CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-dummy' },
  after: soon,
  cause: 'quota',
});

const codexLimit = (): Limit => ({
  step: {
    does: 'fail',
    status: 429,
    body: {
      error: {
        type: 'usage_limit_reached',
        message: 'The usage limit has been reached',
        plan_type: 'plus',
        resets_at: at(),
      },
    },
  },
  after: soon,
  cause: 'quota',
});

const geminiLimit = (): Limit => ({
  step: {
    does: 'fail',
    status: 429,
    body: {
      error: {
        code: 429,
        message: 'You exceeded your current quota.',
        status: 'RESOURCE_EXHAUSTED',
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
            violations: [{ quotaId: 'GenerateRequestsPerMinutePerProjectPerModel-FreeTier' }],
          },
          { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '3600s' },
        ],
      },
    },
  },
  after: 3600,
  cause: 'quota',
});

const limited = (): Limit => ({
  step: { does: 'fail', status: 429, message: 'Rate limit reached', headers: { 'retry-after': '3600' } },
  cause: 'quota',
});

/** Without a header that makes it wait in silence. */
const exceeded = (): Limit => ({
  step: { does: 'fail', status: 429, message: 'Rate limit reached' },
  cause: 'quota',
});

export const overAcp: readonly ClientFacts[] = [
  {
    client: 'claude',
    way: 'acp',
    via: 'tool',
    calls: 3,
    usage: { tokens: 330 },
    resumes: 'anywhere',
    outside: 'told',
    quota: claudeLimit,
  },
  {
    client: 'codex',
    way: 'acp',
    via: 'tool',
    calls: 3,
    usage: { tokens: 330 },
    resumes: 'anywhere',
    outside: 'silent',
    // A model that its client knows has a tool for patches, about which it is asked; a command is not.
    reviewing: { CODEX_CONFIG: '{"model":"gpt-5.5"}' },
    quota: codexLimit,
  },
  {
    client: 'gemini',
    way: 'acp',
    via: 'tool',
    calls: 3,
    usage: { tokens: 330 },
    resumes: 'nowhere',
    outside: 'silent',
    quota: geminiLimit,
  },
  {
    client: 'opencode',
    way: 'acp',
    via: 'tool',
    calls: 3,
    usage: { tokens: 110, isPartial: true },
    resumes: 'here',
    outside: 'told',
  },
  {
    client: 'goose',
    way: 'acp',
    via: 'tool',
    calls: 3,
    usage: { tokens: 110, isPartial: true },
    resumes: 'anywhere',
    outside: 'told',
    quota: exceeded,
  },
  {
    client: 'copilot',
    way: 'acp',
    via: 'tool',
    calls: 3,
    usage: { tokens: 330 },
    resumes: 'anywhere',
    // Confined, it may not find the folder, and then does not ask.
    outside: 'either',
    quota: limited,
  },
];

/** The slowest first, while the others start over ACP. */
export const oneShots: readonly (ClientFacts & { readonly client: OneShotName })[] = [
  {
    client: 'opencode',
    way: 'one-shot',
    via: undefined,
    calls: 2,
    usage: { tokens: 220 },
    resumes: 'here',
    outside: 'told',
  },
  {
    client: 'claude',
    way: 'one-shot',
    via: 'schema',
    calls: 2,
    usage: { tokens: 220 },
    resumes: 'anywhere',
    outside: 'told',
    quota: claudeLimit,
  },
  {
    client: 'codex',
    way: 'one-shot',
    via: 'schema',
    calls: 2,
    usage: { tokens: 220 },
    resumes: 'anywhere',
    outside: 'silent',
    quota: codexLimit,
  },
  {
    client: 'gemini',
    way: 'one-shot',
    via: undefined,
    calls: 2,
    usage: { tokens: 220 },
    resumes: 'here',
    outside: 'told',
    quota: geminiLimit,
  },
];
