/**
 * Which texts hold a secret, kind by kind, and which do not. Secrets are put together from parts, so that no scanner
 * takes this file for a leak.
 */
import { describe, expect, it } from 'vitest';
import { redact } from './redact.ts';
import type { SecretKind } from './secret-kind.ts';

const mixed = (length: number): string => 'aB3dE5gH7jK9mN'.repeat(10).slice(0, length);
const upper = (length: number): string => 'QW3RTY7UIOP2'.repeat(10).slice(0, length);
const hex = (length: number): string => '0a1b2c3d4e5f'.repeat(10).slice(0, length);
const dashes = '-'.repeat(5);
const pem = (label: string): string => `${dashes}BEGIN ${label}${dashes}\n${mixed(64)}\n${dashes}END ${label}${dashes}`;
const jwtPart = `eyJ${mixed(20)}`;

const TOKENS: readonly (readonly [SecretKind, string])[] = [
  ['anthropic', `sk-ant-api03-${mixed(60)}-AA`],
  ['openai', `sk-${mixed(48)}`],
  ['openai', `sk-${'abcdefghij'.repeat(4)}`],
  ['openai', `sk-proj-${mixed(30)}_${mixed(30)}-x`],
  ['openai', `sk-or-v1-${hex(64)}`],
  ...['p', 'o', 'u', 's', 'r'].map((letter) => ['github', `gh${letter}_${mixed(36)}`] as const),
  ['github', `github_pat_${mixed(22)}_${mixed(59)}`],
  ['gitlab', `glpat-${mixed(20)}`],
  ['gitlab', `glpat-${mixed(27)}.01.${hex(9)}`],
  ['slack', `xoxb-${hex(12)}-${mixed(24)}`],
  ['aws', `AKIA${upper(16)}`],
  ['aws', `ASIA${upper(16)}`],
  ['google', `AIza${mixed(35)}`],
  ['google', `ya29.${mixed(40)}`],
  ['stripe', `sk_live_${mixed(24)}`],
  ['stripe', `rk_live_${mixed(24)}`],
  ['stripe', `sk_test_${mixed(24)}`],
  ['stripe', `whsec_${mixed(30)}+/==`],
  ['npm', `npm_${mixed(36)}`],
  ['huggingface', `hf_${mixed(34)}`],
  ['sendgrid', `SG.${mixed(22)}.${mixed(43)}`],
  ['digitalocean', `dop_v1_${hex(64)}`],
  ['pypi', `pypi-AgEIcHlwaS5vcmc${mixed(60)}`],
  ['jwt', `${jwtPart}.${jwtPart}.${mixed(43)}`],
  ['jwt', `${jwtPart}.${jwtPart}`],
  ['jwt', `${jwtPart}..${mixed(16)}.${mixed(40)}.${mixed(22)}`],
  ['private-key', pem('PRIVATE KEY')],
  ['private-key', pem('RSA PRIVATE KEY')],
  ['private-key', pem('EC PRIVATE KEY')],
  ['private-key', pem('OPENSSH PRIVATE KEY')],
  ['private-key', pem('ENCRYPTED PRIVATE KEY')],
  ['private-key', pem('PGP PRIVATE KEY BLOCK')],
  ['private-key', pem('PRIVATE KEY').replaceAll('\n', '\\n')],
];

describe('a token', () => {
  const SURROUNDINGS = [
    ['see ', ' there'],
    ['"', '"'],
    ['`', '`.'],
    ['(', ')'],
    ['https://host/?key=', '&more=1'],
    ['a line\n', '\nanother'],
    ['a JSON line\\n', '\\nanother'],
    ['\u001b[32m', '\u001b[0m'],
    ['\\u0022', '\\u0022'],
  ] as const;

  it.each(TOKENS)('%s goes as a whole, wherever it is: %s', (kind, token) => {
    const marker = `[redacted:${kind}]`;
    expect(redact(token)).toEqual({ text: marker, kinds: [kind] });
    for (const [before, after] of SURROUNDINGS) {
      expect(redact(before + token + after).text).toBe(before + marker + after);
    }
  });

  it('of a Telegram bot keeps the number of the bot', () => {
    const token = `AA${mixed(33)}`;
    expect(redact(`123456789:${token}`)).toEqual({ text: '123456789:[redacted:telegram]', kinds: ['telegram'] });
    expect(redact(`https://host/bot123456789:${token}/send`).text).toBe(
      'https://host/bot123456789:[redacted:telegram]/send',
    );
  });

  it('inside a longer word is not one', () => {
    const word = `x${TOKENS[0]?.[1] ?? ''}`;
    expect(redact(word)).toEqual({ text: word, kinds: [] });
  });
});

describe('a private key block', () => {
  it('without an end goes to the end of the text', () => {
    const text = `before\n${dashes}BEGIN PRIVATE KEY${dashes}\n${mixed(64)}\nand all that follows`;
    expect(redact(text)).toEqual({ text: 'before\n[redacted:private-key]', kinds: ['private-key'] });
  });

  it('ends where it ends', () => {
    const text = `${pem('EC PRIVATE KEY')}\nbetween\n${pem('PRIVATE KEY')}\nafter`;
    expect(redact(text).text).toBe('[redacted:private-key]\nbetween\n[redacted:private-key]\nafter');
  });

  it('is not a certificate or a public key', () => {
    const text = pem('CERTIFICATE') + pem('PUBLIC KEY');
    expect(redact(text).kinds).toEqual([]);
  });
});

describe('authorization', () => {
  it.each([
    ['Authorization: Bearer abcd', 'Authorization: Bearer [redacted:authorization]'],
    ['authorization: basic dXNlcjpwYXNz', 'authorization: basic [redacted:authorization]'],
    ['{"Authorization":"Basic dTpw"}', '{"Authorization":"Basic [redacted:authorization]"}'],
    [`-H 'Authorization: Bearer ${hex(8)}' -v`, `-H 'Authorization: Bearer [redacted:authorization]' -v`],
    [`sent Bearer ${hex(16)} along`, 'sent Bearer [redacted:authorization] along'],
    ['sent Basic dXNlcjpwYXNz along', 'sent Basic [redacted:authorization] along'],
    ['sent Basic YWJjZA== along', 'sent Basic [redacted:authorization] along'],
    [`Basic Bearer ${hex(16)}`, 'Basic Bearer [redacted:authorization]'],
  ])('%s', (text, expected) => {
    expect(redact(text)).toEqual({ text: expected, kinds: ['authorization'] });
  });

  it('names the vendor when it knows the token', () => {
    expect(redact(`Authorization: Bearer ghp_${mixed(36)}`).kinds).toEqual(['github']);
  });
});

describe('credentials in a URL', () => {
  it.each([
    ['https://user:pass@host/path', 'https://[redacted:url-credentials]@host/path'],
    ['redis://:hunter2@cache:6379', 'redis://[redacted:url-credentials]@cache:6379'],
    ['postgres://me:p@ss@db/x?y=z', 'postgres://[redacted:url-credentials]@db/x?y=z'],
  ])('%s', (text, expected) => {
    expect(redact(text)).toEqual({ text: expected, kinds: ['url-credentials'] });
  });
});

describe('an assignment', () => {
  const KEYS =
    'password passwd passphrase pwd api_key apikey api-key apiKey secret_key client_secret access_key auth_token ' +
    'access_token private_key PASSWORD DB_PASSWORD NPM_AUTH_TOKEN x-api-key userPassword';

  it.each(KEYS.split(' '))('%s loses its value and keeps the rest', (key) => {
    const at = (value: string): readonly string[] => [
      `${key}=${value}`,
      `${key}: ${value}`,
      `${key} => ${value}`,
      `${key}="${value}"`,
      `export ${key}='${value}' # why`,
      `{"${key}": "${value}", "user": "joe"}`,
      `{\\"${key}\\": \\"${value}\\"}`,
      `login(${key}=${value}, user=joe)`,
      `?${key}=${value}&user=joe`,
      `Server=db;${key}=${value};User=joe`,
      `**${key}:** ${value}`,
      `config['${key}'] = "${value}";`,
      `const ${key}: string = '${value}';`,
      `${key} = SecretStr("${value}")`,
    ];
    const redacted = at('[redacted:assignment]');
    for (const [index, text] of at('hunter').entries()) {
      expect(redact(text)).toEqual({ text: redacted[index], kinds: ['assignment'] });
    }
  });

  it('redacts a lone dictionary word', () => {
    expect(redact('password: required').text).toBe('password: [redacted:assignment]');
  });

  it.each(['token', 'secret', 'CSRF_TOKEN', 'webhookSecret'])('of the weak word %s needs length and a digit', (key) => {
    expect(redact(`${key}=abcdefg1`).text).toBe(`${key}=[redacted:assignment]`);
    expect(redact(`"${key}": "abcdefg1"`).text).toBe(`"${key}": "[redacted:assignment]"`);
    expect(redact(`${key}=abcdef1`).kinds).toEqual([]);
    expect(redact(`${key}: abcdefgh`).kinds).toEqual([]);
  });

  it('is found inside the harmless value of a weak word', () => {
    expect(redact('secret: "the password=hunter"').text).toBe('secret: "the password=[redacted:assignment]"');
  });

  it('of an AWS secret names AWS', () => {
    expect(redact(`aws_secret_access_key = ${mixed(40)}`)).toEqual({
      text: 'aws_secret_access_key = [redacted:aws]',
      kinds: ['aws'],
    });
  });

  it('keeps what a quoted value may hold inside', () => {
    expect(redact(`password="it's a \\"long\\" one", next`).text).toBe('password="[redacted:assignment]", next');
    expect(redact('password="cut off\nnext line').text).toBe('password="[redacted:assignment]\nnext line');
    expect(redact('password=a,b;c&d)e next').text).toBe('password=[redacted:assignment] next');
  });

  it('is a secret when a placeholder is only its beginning', () => {
    expect(redact('password=<x>hunter2').text).toBe('password=[redacted:assignment]');
    expect(redact('password=$PASS-hunter2').text).toBe('password=[redacted:assignment]');
  });

  it('of JSON within JSON ends with its own string', () => {
    expect(redact('{"out":"password=\\"hunter2","next":"stays"}').text).toBe(
      '{"out":"password=\\"[redacted:assignment]","next":"stays"}',
    );
  });
});

describe('no secret', () => {
  it.each([
    '',
    '3f786850e387550fdab836ed7e6dc881de23001b',
    'commit 89e6c98d92887913cadf06b2adb97f26cde4849b (HEAD -> main)',
    '123e4567-e89b-12d3-a456-426614174000',
    '1735460684:3f786850e387550fdab836ed7e6dc881de23001b',
    'src/token.ts:112',
    'src/base/redact.ts:12:34: password pass',
    'token refresh flows',
    'the secret: none of it',
    'sess_1735460684_a1b2c3',
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk',
    'https://example.com/a?b=c#d',
    'http://localhost:3000/users/@me',
    'http://[::1]:8080/x@y',
    'git@github.com:owner/name.git',
    'password reset flow works',
    'Password::make and token::kind',
    'passwords: many',
    'max_tokens: 128000000',
    'token_count=123456789',
    'a basic understanding, bearer tokens, Basic authentication',
    'Basic TypeScript',
    'sk-folding-cube-container-element',
    'the sk- and eyJ prefixes',
    'npm_config_registry_of_the_whole_company_is_long',
    'disk-usage-of-the-last-30-days-in-bytes',
    `console.log('password:', value);`,
    'the truncated eyJhbGciOiJIUzI1NiIs...',
    'password=',
    'password: ""',
    'password=abc',
  ])('%s', (text) => {
    expect(redact(text)).toEqual({ text, kinds: [] });
  });

  it.each([
    '$PASSWORD',
    '$DB_PASSWORD_2',
    '$password',
    '${PASSWORD}',
    '${config.password}',
    '<password>',
    '<your password>',
    'process.env.DB_PASSWORD',
    'process.env.DB_PASSWORD!',
    `process.env['X']`,
    '***',
    '********',
    '[redacted:assignment]',
    '[redacted:anything-else]',
    'null',
    'true',
  ])('is the placeholder %s', (value) => {
    for (const text of [`password=${value}`, `password: ${value},`, `{"password": "${value}"}`, `token=${value}`]) {
      expect(redact(text)).toEqual({ text, kinds: [] });
    }
  });

  it.each(['$PASSWORD', '${PASSWORD}', '***'])('is the placeholder %s in a URL', (value) => {
    expect(redact(`postgres://user:${value}@host`).kinds).toEqual([]);
  });
});

describe('a redacted text', () => {
  // Texts in which the marker left by one secret could turn what stands next to it into another.
  it.each([
    `Bearer ${mixed(9)}:Basic word`,
    `password==Basic Bearer ${mixed(9)}`,
    'secret="x1 abcd password": "<token=abcd1234>"',
    `secret="password=abcd\\" password='x" 1234'`,
    'password=hunter2), (password=hunter2).',
    'token=1://:b@',
    `ghp_${mixed(36)}ghp_${mixed(36)}`,
  ])('stays as it is: %s', (text) => {
    const once = redact(text).text;
    expect(once).not.toBe(text);
    expect(redact(once)).toEqual({ text: once, kinds: [] });
  });
});

describe('kinds', () => {
  it('are unique and sorted', () => {
    const key = `npm_${mixed(36)}`;
    expect(redact(`${key} password=hunter2 ${key} https://a:b@c`).kinds).toEqual([
      'assignment',
      'npm',
      'url-credentials',
    ]);
  });
});
