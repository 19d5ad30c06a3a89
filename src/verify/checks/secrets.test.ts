import { describe, expect, it } from 'vitest';
import { checkSecrets } from './secrets.ts';
import type { ChangedLines } from '../work.ts';

// Put together here, so that no file of this repository holds anything that looks like a secret.
const cut: string = '';
const random = 'q7Zp2mLx9RtVb4KdW8sNfHcJ3gYe6AuT';
const github = `ghp_${random}9xQ2`;
const aws = `AK${cut}IAQ7ZP2MLX9RTVB4KD`;
const anthropic = `sk-${cut}ant-api03-${random}`;
const begin = `-----BEGIN RSA ${cut}PRIVATE KEY-----`;
const body = `${random}${random}`;
const keyStart = `MII${cut}EpAIBAAKCAQEA${random}`;

function file(path: string, texts: readonly string[], removed: readonly string[] = []): ChangedLines {
  return { path, added: texts.map((text, at) => ({ line: at + 1, text })), removed };
}

function found(path: string, ...texts: string[]): string[] {
  return checkSecrets([file(path, texts)]).map(({ kind }) => kind);
}

describe('a secret that is added', () => {
  it.each<[path: string, ...lines: string[]]>([
    ['src/a.ts', `const key = '${github}';`],
    ['src/a.test.ts', `const key = '${github}';`],
    ['README.md', `Use ${anthropic} to try it`],
    ['a.txt', aws],
    ['a.min.js', `x="${aws}"`],
    ['src/a.ts', `const stripe = "sk_${cut}live_${random}"`],
    ['key.pem', begin, body],
    ['a.ts', `const key = "${begin}\\n${body}"`],
    ['key.pem', begin, 'Proc-Type: 4,ENCRYPTED', 'DEK-Info: AES', '', body],
    ['README.md', `${github} ${begin}\\n${body}`],
    ['key.pem', begin, keyStart],
    // Only what is behind its first line was replaced.
    ['key.pem', keyStart, body],
    ['a.ts', `const key = 'MI${cut}GHAgEAMBMGByqGSM49${random}';`],
    ['id_ed25519', `b3BlbnNz${cut}aC1rZXktdjEAAAAABG5vbmU${random}`],
    ['a.ts', `const key = 'sk-${cut}proj-${random}_${random}-x';`],
    ['a.ts', `const key = 'sk-${random}';`],
    ['a.ts', `const key = 'xoxb-${cut}947102836550-8350271946620-${random.slice(0, 24)}';`],
    ['a.ts', `const key = 'pypi-${cut}AgEIcHlwaS5vcmc${random}';`],
  ])('is certain: %s: %j', (path, ...lines) => {
    expect(found(path, ...lines)).toEqual(['secret']);
  });

  it.each<[path: string, ...lines: string[]]>([
    ['src/a.ts', `const password = "${random}";`],
    ['src/a.ts', `  apiKey: '${random}',`],
    ['a.yaml', `client_secret: ${random}`],
    ['.env', `DB_PASSWORD=${random}`],
    ['a.ts', `headers: { Authorization: 'Bearer ${random}' }`],
    ['a.ts', `const db = 'postgres://app:${random}@db.internal.net/app'`],
    ['a.ini', `aws_secret_access_key = ${random}${random}`],
    ['a.ts', `const t = 'eyJ${random}.eyJ${random}.${random}';`],
    ['src/a.ts', `const stripe = "sk_${cut}test_${random}"`],
    ['tests/fixtures/key.pem', begin, body],
    ['tests/fixtures/key.pem', keyStart],
    ['src/key.pem', body, body],
    ['deploy/id_rsa', `${body}==`],
    ['a.html', '<img src="/img/sk-20240101-homepage-hero.png">'],
    ['a.css', '.sk-skeleton-text-width-100 {}'],
    ['a.css', '.sk-ant-design-dark-theme-2 {}'],
    ['a.ts', `locale: 'sk-slovak-translation-v2'`],
    ['a.ts', `theme: 'xoxo-gossip-girl-theme'`],
    ['a.yaml', '  pypi-publish-to-production-environment-job:'],
  ])('is likely: %s: %j', (path, ...lines) => {
    expect(found(path, ...lines)).toEqual(['secret-likely']);
  });

  it.each<[path: string, ...lines: string[]]>([
    ['a.ts', `const key = 'AK${cut}IAIOSFODNN7EXAMPLE';`],
    ['a.ts', `const key = 'ghp_${'x'.repeat(36)}';`],
    ['a.ts', `const key = 'ghp_${'a1'.repeat(18)}';`],
    ['a.ts', `const key = 'sk-${cut}ant-your-key-goes-here';`],
    ['a.ts', `const key = 'sk-1234567890abcdef1234567890abcdef';`],
    ['a.ts', `const key = 'sk-${cut}ant-api03-${'a'.repeat(20)}';`],
    ['a.ts', `if (text.startsWith('${begin}')) return;`],
    ['a.ts', `import x from './${'a/'.repeat(30)}'; if (text.startsWith('${begin}')) return;`],
    ['cert.pem', `MIID${cut}dzCCAl+gAwIBAgIEAgAAuTAN${random}${random}`],
    ['key.pub', `MIIB${cut}IjANBgkqhkiG9w0BAQEFAAOCAQ8A${random}`],
    ['cert.pem', body],
    ['public-key.pem', body],
    ['key.pem', '-----BEGIN CERTIFICATE-----', body, body],
    ['src/key.ts', body],
    ['a.ts', 'password: string;'],
    ['a.ts', 'const password = readPassword(input);'],
    ['a.ts', 'const password: string = process.env.DB_PASSWORD1;'],
    ['a.ts', "const apiKey = config.get('apiKey1');"],
    ['a.ts', 'password: "Enter your password",'],
    ['a.ts', "password: 'Password must have 8 characters',"],
    ['a.ts', "token: 'refresh-token',"],
    ['a.ts', "password: 'correctHorseBattery',"],
    ['a.ts', "secret: '1700000000000',"],
    ['a.ts', "accessToken: 'auth/access-token2',"],
    ['a.ts', "apiKey: 'settings.api.key2',"],
    ['a.ts', "const secret = '<your-secret-1>';"],
    ['a.ts', "const secret = 'changeme123';"],
    ['a.yaml', 'password: ${DB_PASSWORD1}'],
    ['a.yaml', 'password: {{ vault_password1 }}'],
    ['a.yaml', 'password: password123'],
    ['a.yaml', 'url: postgres://postgres:postgres@db.internal.net/app'],
    ['a.yaml', `url: postgres://app:${random}@localhost:5432/app`],
    ['a.py', 'password = os.environ["DB_PASSWORD1"]'],
    ['a.test.ts', `const password = '${random}';`],
    ['README.md', `password: ${random}`],
    ['.env.example', `DB_PASSWORD=${random}`],
    ['a.ts', 'import { tokenizer2000 } from "./token.ts";'],
    ['a.min.js', `password="${random}"`],
    ['package-lock.json', `"integrity": "sha512-${random}", "token": "${random}"`],
  ])('is none: %s: %j', (path, ...lines) => {
    expect(found(path, ...lines)).toEqual([]);
  });

  it('is told by its place and its kind alone', () => {
    const findings = checkSecrets([file('a.ts', ['', `x = '${github}'`]), file('b.ts', [`password = '${random}'`])]);
    expect(findings).toEqual([
      { kind: 'secret', rejects: true, fact: 'a secret was added at a.ts:2 (github)', paths: ['a.ts'] },
      {
        kind: 'secret-likely',
        rejects: false,
        fact: 'a possible secret was added at b.ts:1 (assignment)',
        paths: ['b.ts'],
      },
    ]);
    expect(JSON.stringify(findings)).not.toContain(random.slice(0, 8));
  });

  it('is not repeated where a file is named after it', () => {
    const findings = checkSecrets([file(`${github}.ts`, [`x = '${github}'`])]);
    expect(findings.map(({ kind }) => kind)).toEqual(['secret']);
    expect(JSON.stringify(findings)).not.toContain(random.slice(0, 8));
  });

  it('is none where it only moved', () => {
    const line = `const key = '${github}';`;
    expect(checkSecrets([file('old.ts', [], [line]), file('new.ts', [line])])).toEqual([]);
  });

  it('is a key where only its first line was there before', () => {
    const removed = file('test/old.pem', [], [begin, 'zzz']);
    expect(checkSecrets([file('key.pem', [begin, body]), removed]).map(({ kind }) => kind)).toEqual(['secret']);
    expect(checkSecrets([file('key.pem', [begin, body]), file('old.pem', [], [begin, body])])).toEqual([]);
    expect(checkSecrets([file('key.pem', [keyStart]), file('old.pem', [], [keyStart])])).toEqual([]);
  });

  it('is a key in one place, where all of it is new', () => {
    const [only] = checkSecrets([file('key.pem', [begin, keyStart, body])]);
    expect(only?.fact).toBe('a secret was added at key.pem:1 (private-key)');
  });
});
