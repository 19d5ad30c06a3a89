/**
 * F20: secrets in any agent's words, and what only looks like one. Each secret is made up, and put together from parts, so that no
 * scanner takes this file for a leak.
 */
import { describe, expect, it } from 'vitest';
import { redact } from '../../src/base/redact.ts';
import { leastTime } from '../support/processor-time.ts';

const mixed = (length: number): string => 'q7RtY2uIoP9aSdF4gHjK'.repeat(8).slice(0, length);
const hex = (length: number): string => '9f3c0a7be41d'.repeat(8).slice(0, length);
const upper = (length: number): string => 'K4QZ7M2XW9TB'.repeat(8).slice(0, length);
const join = (...parts: readonly string[]): string => parts.join('');
const jwt = `eyJ${mixed(20)}.eyJ${mixed(30)}.${mixed(43)}`;

/** The text, with the secret between « and ». */
const secrets: readonly string[] = [
  // by their form
  ...[
    join('glr', 't-', mixed(20)),
    join('gld', 't-', mixed(20)),
    join('glpt', 't-', hex(40)),
    join('glcb', 't-64_', mixed(20)),
    join('glagen', 't-', mixed(50)),
    join('glpa', 't-', mixed(20)),
    join('GOC', 'SPX-', mixed(28)),
    join('1/', '/0', mixed(60)),
    join('AIz', 'a', mixed(35)),
    join('ya2', '9.', mixed(60)),
    join('hv', 's.', mixed(90)),
    join('hv', 'b.', mixed(90)),
    join('dckr', '_pat_', mixed(27)),
    join('dckr', '_oat_', mixed(32)),
    join('gs', 'k_', mixed(52)),
    join('xa', 'i-', mixed(80)),
    join('pp', 'lx-', mixed(48)),
    join('r', '8_', mixed(37)),
    join('nva', 'pi-', mixed(64)),
    join('pcs', 'k_', mixed(60)),
    join('lsv', '2_pt_', hex(32), '_', hex(10)),
    join('tv', 'ly-', mixed(32)),
    join('lin_', 'api_', mixed(40)),
    join('lin_', 'oauth_', hex(64)),
    join('nt', 'n_', mixed(46)),
    join('fig', 'd_', mixed(40)),
    join('ATA', 'TT3', mixed(90)),
    join('PMA', 'K-', hex(24), '-', hex(34)),
    join('sntr', 'ys_', mixed(60)),
    join('gls', 'a_', mixed(32), '_', hex(8)),
    join('NRA', 'K-', upper(27)),
    join('dap', 'i', hex(32)),
    join('sb', 'p_', hex(40)),
    join('sb_', 'secret_', mixed(22)),
    join('nf', 'p_', mixed(36)),
    join('tske', 'y-auth-', mixed(12), '-', mixed(24)),
    join('shp', 'at_', hex(32)),
    join('sq0', 'atp-', mixed(22)),
    join('S', 'K', hex(32)),
    join('ke', 'y-', hex(32)),
    join('rzp_', 'live_', mixed(14)),
    join('pu', 'l-', hex(40)),
    join('dp.', 'pt.', mixed(43)),
    join('ops_', 'eyJ', mixed(80)),
    join('AGE-SEC', 'RET-KEY-1', upper(58)),
    join('xap', 'p-1-', upper(11), '-', hex(13), '-', hex(64)),
    join('xox', 'e.xoxp-1-', mixed(60)),
    join('sk-', 'ant-api03-', mixed(60)),
    join('sk-', 'proj-', mixed(60)),
    join('gh', 'p_', mixed(36)),
    join('github', '_pat_', mixed(60)),
    join('np', 'm_', mixed(36)),
    join('AK', 'IA', upper(16)),
    jwt,
  ].map((token) => `it printed «${token}» and went on`),
  // webhooks
  `https://hooks.slack.com/services/«T${upper(8)}/B${upper(8)}/${mixed(24)}»`,
  `https://hooks.slack.com/workflows/«T${upper(8)}/A${upper(8)}/${mixed(24)}»`,
  `https://discord.com/api/webhooks/«123456789012345678/${mixed(68)}»`,
  `https://discordapp.com/api/v10/webhooks/«123456789012345678/${mixed(68)}»`,
  `https://acme.webhook.office.com/webhookb2/«${hex(8)}@${hex(8)}/IncomingWebhook/${hex(32)}»`,
  `https://hooks.zapier.com/hooks/catch/«1234567/${mixed(7)}/»`,
  `https://maker.ifttt.com/trigger/done/with/key/«${mixed(22)}»`,
  // in URLs
  `https://«${join('gh', 'o_', mixed(36))}»@github.com/a/b.git`,
  `git clone https://«${mixed(40)}»@host.example/x`,
  `SENTRY_DSN=https://«${hex(32)}»@o1.ingest.example/2`,
  `https://«x-token-auth:${mixed(24)}»@bitbucket.org/a/b`,
  `amqp://«guest:s3cr3t!»@mq:5672`,
  // assignments
  `DefaultEndpointsProtocol=https;AccountName=x;AccountKey=«${mixed(86)}==»;EndpointSuffix=core`,
  `Endpoint=sb://x/;SharedAccessKeyName=Root;SharedAccessKey=«${mixed(43)}=»`,
  `//registry.example/:_auth=«${mixed(30)}=»`,
  `_auth = "«${mixed(30)}=»"`,
  `//registry.example/:_authToken=«${mixed(36)}»`,
  'DB_PASS=«swordfish»',
  'export MYSQL_PASS="«open-sesame»"',
  `SECRET_KEY_BASE=«${hex(64)}»`,
  `ENCRYPTION_KEY: «${mixed(32)}»`,
  `"refresh_token": "«${mixed(40)}»"`,
  'passcode: «993311»',
  `JWT_SECRET=«${mixed(24)}»`,
  // headers
  `Cookie: «session=${mixed(24)}; csrf=${mixed(12)}»`,
  `Set-Cookie: «sid=${mixed(24)}; Path=/; HttpOnly»`,
  `curl -H 'Cookie: «sid=${mixed(24)}»' https://x`,
  `curl --cookie "«sid=${mixed(24)}»" https://x`,
  `Authorization: Bearer «${mixed(24)}»`,
  `proxy-authorization: Basic «${mixed(16)}==»`,
  // files and options of programs
  'machine api.example.org login joe password «hunter2»',
  'machine api.example.org\n  login joe\n  password «correct-horse»',
  'default login anonymous password «letmein!»',
  'curl -u joe:«hunter2» https://x',
  `curl -sSu 'joe:«hunter2»' https://x`,
  'curl --user joe:«hunter2» https://x',
  `mysql --password «hunter2!» db`,
  `gh auth login --token «${mixed(30)}»`,
  `sshpass -p '«hunter2»' ssh x`,
  // split by what is not seen
  ...['\u200b', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u001b[31m', '\u001b[0;1m', '\u{e0041}', '\u0008'].map(
    (unseen) => {
      const token = join('gh', 'p_', mixed(36));
      return `it printed «${token.slice(0, 12)}${unseen}${token.slice(12, 30)}${unseen}${token.slice(30)}» and`;
    },
  ),
  `pass\u200bword=«hun\u200bter2»`,
];

/** What is not seen may go with the secret. */
const visible = (text: string): string =>
  // eslint-disable-next-line no-control-regex -- matches control characters on purpose
  text.replace(/\u001b\[[\d;]*m|[\0-\u0008]|\p{Default_Ignorable_Code_Point}/gu, '');

it('there are enough of them', () => {
  expect(new Set(secrets).size).toBeGreaterThanOrEqual(84);
});

it.each(secrets)('no part of the secret is left: %s', (marked) => {
  const [before = '', secret = '', after = ''] = marked.split(/[«»]/);
  const { text, kinds } = redact(before + secret + after);
  expect(kinds).toHaveLength(1);
  expect(visible(text)).toBe(visible(`${before}[redacted:${kinds[0]}]${after}`));
  expect(redact(text)).toEqual({ text, kinds: [] });
});

describe('no secret', () => {
  it.each([
    'the gsk_ and xai- prefixes, lin_api_ too',
    'hvs. is what Vault tokens begin with',
    'glrt-runner is a name',
    'a sparse key-value store, key-value-pairs-are-everywhere-in-this-long-name',
    'SKILL, SKU123 and SKELETON',
    'ssh://git@github.com/owner/name.git',
    'https://someone@example.org/path',
    'https://a-rather-long-user-name@example.org',
    'mailto:someone@example.org',
    'https://hooks.slack.com/services/',
    'https://discord.com/api/webhooks/ID',
    'https://example.org/webhooks/list',
    'Cookie: a small file that a browser keeps',
    'cookies: true, cookieName: sid',
    'set-cookie is a header',
    'the machine learning password policy',
    'machine translation and login form, password field',
    'docker run -u 1000:1000 image',
    'sort -u a:b',
    'date -u +%H:%M:%S',
    'git push -u origin main:main',
    'curl -u "$LOGIN" https://x',
    'use --password to set it',
    'the --token option takes a value',
    '--secret flag, --api-key argument',
    'test_passed=1200, tests_pass',
    'oauth_authority: login.example.org',
    'author=Someone Long, authority: none',
    'AccountName=devstore;',
    'dapi and rapid apis',
    'figd_ tvly- r8_ ntn_',
    'a key\u200b without\u00ad a secret \u001b[32mgreen\u001b[0m',
    'commit 9f3c0a7be41d9f3c0a7be41d9f3c0a7be41d9f3c',
  ])('%s', (text) => {
    expect(redact(text)).toEqual({ text, kinds: [] });
  });
});

it.each([
  ['curl -u ', 'curl lines'],
  ['machine a login b ', 'netrc'],
  ['Cookie: a=', 'cookies'],
  ['https://hooks.slack.com/services/', 'webhooks'],
  ['\u200b', 'what is not seen'],
  ['\u001b[', 'terminal sequences'],
  ['://a', 'addresses'],
  ['hvs.', 'prefixes'],
  ['--password ', 'options'],
])('takes linear time on %j: %s', (piece) => {
  const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
  expect(leastTime(() => redact(text), 500)).toBeLessThan(500);
});
