/**
 * Secrets that a change adds. What shows by its form is certain and rejects the work; what is guessed from the name of a key is
 * told. A finding names the place and the kind, never the secret.
 *
 * `redact` hides what may be a secret and may err on that side; here an error sends good work back. So whatever looks like an
 * example is nothing, and a guess needs a value that somebody really chose at random.
 */
import { redact, secretsIn } from '../contracts/redact.ts';
import type { SecretKind } from '../contracts/secret-kind.ts';
import type { WorkFinding } from '../core/verification.ts';
import { isDocument, isGenerated, isTemplate, isTestFile } from './file-kinds.ts';
import { finding, listed } from './findings.ts';
import { movedLines } from './moved-lines.ts';
import type { ChangedLines } from './work.ts';

const mostPlaces = 50;

/** A test may need a key or a token of its own; a signed token may be long out of date. */
const guesses: ReadonlySet<SecretKind> = new Set(['assignment', 'authorization', 'jwt', 'url-credentials']);

export function checkSecrets(lines: readonly ChangedLines[]): WorkFinding[] {
  const isMoved = movedLines(lines);
  const places: Record<'secret' | 'secret-likely', Map<string, string>> = {
    secret: new Map(),
    'secret-likely': new Map(),
  };
  for (const { path, added } of lines) {
    // One look at all of a file; most have nothing.
    const texts = added.map(({ text }) => text);
    if (redact(texts.join('\n')).kinds.length === 0) continue;
    for (const [at, { line, text }] of added.entries()) {
      const verdict = judge(path, text, texts.slice(at + 1, at + 6));
      if (verdict === undefined || isMoved(text)) continue;
      const place = `${path}:${line}`;
      if (places[verdict.as].size < mostPlaces) places[verdict.as].set(`${place} (${verdict.kind})`, path);
    }
  }
  return (['secret', 'secret-likely'] as const).flatMap((kind) => {
    const found = places[kind];
    if (found.size === 0) return [];
    const what = kind === 'secret' ? 'a secret is added' : 'what may be a secret is added';
    return [finding(kind, { fact: `${what} at ${listed([...found.keys()])}`, paths: [...new Set(found.values())] })];
  });
}

interface Judged {
  readonly as: 'secret' | 'secret-likely';
  readonly kind: SecretKind;
}

/** The worst of what a line holds. `next`: the lines below it, where a key block goes on. */
function judge(path: string, text: string, next: readonly string[]): Judged | undefined {
  const judged = secretsIn(text).flatMap(({ kind, text: secret }): Judged[] => {
    if (kind === 'private-key') {
      if (!hasKeyBody([secret, ...next])) return [];
      return [{ kind, as: isTestFile(path) || isDocument(path) ? 'secret-likely' : 'secret' }];
    }
    if (looksMadeUp(secret)) return [];
    if (isCertain(kind, secret)) return [{ kind, as: 'secret' }];
    return isLikely(path, text, kind, secret) ? [{ kind, as: 'secret-likely' }] : [];
  });
  return judged.find(({ as }) => as === 'secret') ?? judged[0];
}

/** The first line of a block alone is how programs recognise one. */
function hasKeyBody(texts: readonly string[]): boolean {
  return texts.some((text) => /[A-Za-z\d+/]{40}/.test(text.slice(0, 10_000)));
}

function isCertain(kind: SecretKind, secret: string): boolean {
  if (guesses.has(kind)) return false;
  if (kind === 'aws') return /^A[KS]IA/.test(secret);
  return kind !== 'stripe' || !secret.includes('_test_');
}

const exampleWords =
  /example|sample|dummy|fake|placeholder|your|change.?me|redacted|xxx|\.\.\.|…|1234567|abcdef|foobar|foo_?bar|lorem|not.?a.?real|test.?(?:key|token|secret)|(?:secret|password|token|key)here/i;

/** An example, a mask or a row of the same few characters. */
function looksMadeUp(secret: string): boolean {
  const head = secret.slice(0, 400);
  if (exampleWords.test(head)) return true;
  const distinct = new Set(head.replace(/^[a-z]{2,10}[-_]/i, '')).size;
  return distinct < 6 && head.length >= 6;
}

const commonPasswords =
  /^(?:password\d*|passw0rd|postgres|root|admin\d*|secret\d*|user|guest|mysql|mongo|redis|rabbitmq|test\d*|pass\d*|hunter2)$/i;
const localHost =
  /@(?:localhost|127\.|0\.0\.0\.0|\[::1\]|host\.docker|[a-z][\w-]*(?::\d+)?(?:\/|["'\s]|$)|[\w.-]*\bexample\.)/i;

function isLikely(path: string, line: string, kind: SecretKind, secret: string): boolean {
  if (isTestFile(path) || isDocument(path) || isTemplate(path) || isGenerated(path)) return false;
  if (kind === 'url-credentials') {
    return !commonPasswords.test(secret) && !/[${}%]/.test(secret) && !localHost.test(line.slice(0, 10_000));
  }
  if (kind === 'authorization') return looksRandom(secret, 16);
  if (kind !== 'assignment') return true;
  return isLiteral(path, line, secret) && !commonPasswords.test(secret) && looksRandom(secret, 8);
}

/** In code, a value without quotes is an expression; in settings it is the value itself. */
function isLiteral(path: string, line: string, value: string): boolean {
  const isSettings = /\.(?:ya?ml|properties|ini|cfg|conf|toml|tfvars)$|(?:^|\/)\.env(?:\.[\w-]+)?$|\.env$/i.test(path);
  return isSettings || /["'`]/.test(line.charAt(line.indexOf(value) - 1));
}

/** No word, no reference, no sentence: letters and digits, or letters in no order of any language. */
function looksRandom(value: string, least: number): boolean {
  if (value.length < least || /[\s(){}<>[\]$]/.test(value) || /^[\w-]+(?:\.[\w-]+)+$/.test(value)) return false;
  const hasDigit = /\d/.test(value);
  const hasLetter = /[A-Za-z]/.test(value);
  return hasLetter && (hasDigit || /[!@#%^&*+=]/.test(value)) && !/^[a-z]+[-_:/][a-z-_:/]+\d?$/i.test(value);
}
