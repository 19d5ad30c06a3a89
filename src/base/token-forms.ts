/** Token forms: keys of vendors that show by their form. Each pattern reads to the end of its run of characters, see `redact.ts`. */
import type { SecretKind } from './secret-kind.ts';

/**
 * Where a token may start: not inside a longer word, except right after an escape that only looks like one. Agents send
 * terminal output and JSON inside JSON, where a token follows `\n`, `\u0022`, `%3D` or a colour code such as `[32m`.
 */
export const START = '(?:^|[^\\w-]|\\\\[bfnrtv]|\\\\u[\\da-fA-F]{4}|%[\\dA-F]{2}|\\[[\\d;]{1,12}m)';

/** The rest of a run of token characters. */
const REST = '[\\w-]*';
const atLeast = (length: number): string => `[\\w-]{${length}}${REST}`;
const PART = `(?:\\.${atLeast(1)})?`;
const lettersAndDigits = (length: number): string => `[A-Za-z\\d]{${length}}${REST}`;

type TokenForm = {
  readonly kind: SecretKind;
  /** Stays readable in front of the marker. */
  readonly before?: string;
  readonly prefix: string;
  /** Must end at the end of a run, see the header. */
  readonly body: string;
};

/** Of vendors without a kind of their own. */
const VENDORS: readonly (readonly [prefix: string, body: string])[] = [
  // Vault, Docker, Terraform, Pulumi, Doppler, 1Password, age
  ['hv[sbr]\\.', atLeast(20)],
  ['dckr_(?:pat|oat)_', atLeast(20)],
  ['pul-', `[a-f\\d]{40}${REST}`],
  ['dp\\.(?:pt|st|ct|sa|scim|audit)\\.', atLeast(20) + PART],
  ['ops_eyJ', atLeast(30)],
  ['AGE-SECRET-KEY-1', `[A-Z\\d]{40}${REST}`],
  // models: Groq, xAI, Perplexity, Replicate, NVIDIA, Pinecone, LangSmith, Tavily
  ['gsk_', lettersAndDigits(20)],
  ['xai-', lettersAndDigits(20)],
  ['pplx-', lettersAndDigits(30)],
  ['r8_', lettersAndDigits(30)],
  ['nvapi-', atLeast(30)],
  ['pcsk_', atLeast(30)],
  ['lsv2_(?:pt|sk)_', atLeast(30)],
  ['tvly-', `(?=[\\w-]*\\d)${atLeast(20)}`],
  // Linear, Notion, Figma, Atlassian, Postman, Sentry, Grafana, New Relic, Databricks, Contentful
  ['lin_(?:api|oauth)_', lettersAndDigits(20)],
  ['ntn_', lettersAndDigits(30)],
  ['figd_', atLeast(20)],
  ['ATATT3', atLeast(30)],
  ['PMAK-', `[a-f\\d]{20}${REST}`],
  ['sntry[su]_', atLeast(30)],
  ['gl(?:sa|c)_', lettersAndDigits(30)],
  ['NRAK-', `[A-Z\\d]{20}${REST}`],
  ['dapi', `[a-f\\d]{32}${REST}`],
  ['CFPAT-', atLeast(30)],
  // Supabase, Netlify, Fly, Tailscale, Shopify, Square, Twilio, Mailgun, Razorpay
  ['sbp_', lettersAndDigits(20)],
  ['sb_secret_', atLeast(16)],
  ['nfp_', lettersAndDigits(30)],
  ['fo1_', atLeast(30)],
  ['tskey-(?:auth|api|client)-', atLeast(16)],
  ['shp(?:at|ca|pa|ss)_', `[a-fA-F\\d]{32}${REST}`],
  ['sq0(?:atp|csp)-', atLeast(20)],
  ['SK(?=[a-f\\d]{32}(?![\\w-]))', `[a-f\\d]{32}${REST}`],
  ['key-(?=[a-f\\d]{32}(?![\\w-]))', `[a-f\\d]{32}${REST}`],
  ['rzp_live_', lettersAndDigits(14)],
];

export const TOKEN_FORMS: readonly TokenForm[] = [
  { kind: 'anthropic', prefix: 'sk-ant-', body: atLeast(8) },
  // A bare `sk-` also begins CSS classes and package names: those have hyphens and no digit.
  { kind: 'openai', prefix: 'sk-', body: `(?:proj-|(?=[A-Za-z\\d]{20})|(?=[\\w-]*\\d))${atLeast(20)}` },
  { kind: 'github', prefix: 'gh[pousr]_', body: lettersAndDigits(20) },
  { kind: 'github', prefix: 'github_pat_', body: atLeast(20) },
  {
    kind: 'gitlab',
    prefix: 'gl(?:pat|rt|rtr|dt|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-',
    body: atLeast(16) + PART + PART,
  },
  { kind: 'slack', prefix: 'xox[a-z]-', body: atLeast(10) },
  { kind: 'slack', prefix: 'xoxe\\.xox[a-z]-', body: atLeast(10) },
  { kind: 'slack', prefix: 'xapp-\\d-', body: atLeast(10) },
  { kind: 'aws', prefix: 'A[KS]IA', body: `[A-Z\\d]{16}${REST}` },
  { kind: 'google', prefix: 'AIza', body: atLeast(30) },
  { kind: 'google', prefix: 'ya29\\.', body: atLeast(20) },
  { kind: 'google', prefix: 'GOCSPX-', body: atLeast(20) },
  { kind: 'google', prefix: '1//0', body: atLeast(30) },
  { kind: 'stripe', prefix: '[rs]k_(?:live|test)_', body: lettersAndDigits(16) },
  { kind: 'stripe', prefix: 'whsec_', body: '[\\w+/-]{16}[\\w+/-]*={0,2}' },
  { kind: 'npm', prefix: 'npm_', body: lettersAndDigits(30) },
  { kind: 'huggingface', prefix: 'hf_', body: lettersAndDigits(30) },
  { kind: 'sendgrid', prefix: 'SG\\.', body: `${atLeast(16)}\\.${atLeast(16)}` },
  { kind: 'digitalocean', prefix: 'do[opr]_v1_', body: `[a-f\\d]{32}${REST}` },
  { kind: 'pypi', prefix: 'pypi-', body: atLeast(32) },
  { kind: 'telegram', before: '(?:bot)?\\d{8,10}:', prefix: 'AA', body: atLeast(32) },
  // Signed, unsigned, or encrypted (five parts, of which the second may be empty).
  { kind: 'jwt', prefix: 'eyJ', body: `${atLeast(8)}\\.(?:eyJ${atLeast(8)}|${REST}\\.${atLeast(8)})${PART}${PART}` },
  ...VENDORS.map(([prefix, body]): TokenForm => ({ kind: 'vendor-token', prefix, body })),
];
