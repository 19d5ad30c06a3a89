/**
 * Detects secrets in added lines. A secret with a known form is certain and rejects the work; one guessed from the
 * name of its key is only reported. Findings name the place and the kind, never the secret.
 *
 * `redact` may hide too much; here a false alarm sends good work back. So examples are skipped, and a guess needs a
 * value that looks random.
 */
import { redact, type Secret, secretsIn } from '../../base/redact.ts';
import type { SecretKind } from '../../base/secret-kind.ts';
import type { WorkFinding } from '../../core/event/verification.ts';
import { isDocument, isGenerated, isTemplate, isTestFile } from './file-kinds.ts';
import { findingAt, type Place } from '../../core/event/work-findings.ts';
import { movedLines } from './moved-lines.ts';
import type { ChangedLines } from '../work.ts';

const mostPlaces = 50;

/** Recognised by their context; a signed token may also have expired long ago. */
const guesses: ReadonlySet<SecretKind> = new Set(['assignment', 'authorization', 'jwt', 'url-credentials']);

export function checkSecrets(lines: readonly ChangedLines[]): WorkFinding[] {
  const isMoved = movedLines(lines);
  const found: Record<Judged['as'], (Place & { readonly note: string })[]> = { secret: [], 'secret-likely': [] };
  for (const { path, added } of lines) {
    // One pass over the whole file first: most files contain nothing.
    const texts = added.map(({ text }) => text);
    const all = texts.join('\n');
    if (redact(all).kinds.length === 0 && !keyStart.test(all) && !isKeyFile(path)) continue;
    for (const [at, { line, text }] of added.entries()) {
      const around = { isMoved, above: texts.slice(Math.max(0, at - 5), at), below: texts.slice(at + 1, at + 6) };
      const judged = judge(path, text, around);
      if (judged === undefined || found[judged.as].length >= mostPlaces) continue;
      found[judged.as].push({ path, line, note: judged.kind });
    }
  }
  return [
    ...findingAt('secret', 'a secret was added', found.secret),
    ...findingAt('secret-likely', 'a possible secret was added', found['secret-likely']),
  ];
}

interface Judged {
  readonly as: 'secret' | 'secret-likely';
  readonly kind: SecretKind;
}

/** The most guesses that are examined per line. */
const mostGuesses = 20;

interface Around {
  readonly isMoved: (text: string) => boolean;
  /** The lines above and below, which may hold the rest of a key block. */
  readonly above: readonly string[];
  readonly below: readonly string[];
}

/** The most serious secret in a line. */
function judge(path: string, text: string, around: Around): Judged | undefined {
  const hasKey = holdsKey(text, around);
  if (hasKey && !isTestFile(path) && !isDocument(path)) return { kind: 'private-key', as: 'secret' };
  const found = secretsIn(text).filter((one) => one.kind !== 'private-key' && !looksMadeUp(one.text));
  const isNew = found.length > 0 && !around.isMoved(text);
  const certain = isNew ? found.find(isCertain) : undefined;
  if (certain !== undefined) return { kind: certain.kind, as: 'secret' };
  if (hasKey || (isKeyFile(path) && beginsBody(text, around))) return { kind: 'private-key', as: 'secret-likely' };
  const likely = isNew ? found.slice(0, mostGuesses).find((one) => isLikely(path, text, one)) : undefined;
  return likely === undefined ? undefined : { kind: likely.kind, as: 'secret-likely' };
}

const keyHeader = /-----BEGIN [A-Z\d ]{0,40}PRIVATE KEY/;
/** The first bytes of a private key (PKCS 1 and 8, SEC 1, OpenSSH). No certificate or public key begins like this. */
const keyStart = /(?<![\w+/])(?:MII[\w+/]{3}IBA[A-P]|MI[E-H][\w+/]AgEA|MHcCAQEE|b3BlbnNzaC1rZXktdjE)[A-Za-z\d+/]{20}/;

/**
 * A header line alone is how programs detect a key. A key whose old header is unchanged begins with its second line.
 */
function holdsKey(text: string, { isMoved, above, below }: Around): boolean {
  const isNewBody = (line: string, from = 0): boolean =>
    /[A-Za-z\d+/]{40}/.test(line.slice(from, from + 10_000)) && !isMoved(line);
  const header = keyHeader.exec(text);
  if (header !== null) return isNewBody(text, header.index) || below.some((line) => isNewBody(line));
  return keyStart.test(text) && !isMoved(text) && !above.some((line) => keyHeader.test(line));
}

function isKeyFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return /^id_[a-z\d]+$|(?:key|priv).*\.pem$|\.(?:key|p8|ppk)$/i.test(name) && !/pub/i.test(name);
}

/** The first replaced line of a key block whose header is unchanged. */
function beginsBody(text: string, { isMoved, above }: Around): boolean {
  const isBody = (line: string): boolean => /^[A-Za-z\d+/]{40}[A-Za-z\d+/]*={0,2}\r?$/.test(line);
  return isBody(text) && !isMoved(text) && !above.some((line) => isBody(line) || line.startsWith('-----BEGIN '));
}

function isCertain({ kind, text: secret }: Secret): boolean {
  if (guesses.has(kind)) return false;
  if (kind === 'aws') return /^A[KS]IA/.test(secret);
  if (hyphenated.has(kind)) return secret.split(/[^A-Za-z\d]/).some(isRandomRun);
  return kind !== 'stripe' || !secret.includes('_test_');
}

/** Their prefixes also begin names of files, classes and jobs. */
const hyphenated: ReadonlySet<SecretKind> = new Set(['anthropic', 'openai', 'pypi', 'slack']);

function isRandomRun(run: string): boolean {
  return run.length >= 16 && /\d/.test(run) && /[A-Za-z]/.test(run);
}

const exampleWords =
  /example|sample|dummy|fake|placeholder|your|change.?me|redacted|xxx|\.\.\.|…|1234567|abcdef|foobar|foo_?bar|lorem|not.?a.?real|test.?(?:key|token|secret)|(?:secret|password|token|key)here/i;

/** An example, a mask or a repetition of a few characters. */
function looksMadeUp(secret: string): boolean {
  return exampleWords.test(secret.slice(0, 400)) || (secret.length >= 6 && new Set(secret.slice(-16)).size < 6);
}

const commonPasswords =
  /^(?:password\d*|passw0rd|postgres|root|admin\d*|secret\d*|user|guest|mysql|mongo|redis|rabbitmq|test\d*|pass\d*|hunter2)$/i;
const localHost =
  /@(?:localhost|127\.|0\.0\.0\.0|\[::1\]|host\.docker|[a-z][\w-]*(?::\d+)?(?:\/|["'\s]|$)|[\w.-]*\bexample\.)/i;

function isLikely(path: string, line: string, { kind, text: secret }: Secret): boolean {
  if (isTestFile(path) || isDocument(path) || isTemplate(path) || isGenerated(path)) return false;
  if (kind === 'url-credentials') {
    return (
      secret.length >= 6 &&
      !commonPasswords.test(secret) &&
      !/[${}%]/.test(secret) &&
      !localHost.test(line.slice(0, 10_000))
    );
  }
  if (kind === 'authorization') return looksRandom(secret, 16);
  if (kind !== 'assignment') return true;
  return isLiteral(path, line, secret) && !commonPasswords.test(secret) && looksRandom(secret, 8);
}

/** In code, a value without quotes is an expression; in settings files it is the value. */
function isLiteral(path: string, line: string, value: string): boolean {
  const isSettings = /\.(?:ya?ml|properties|ini|cfg|conf|toml|tfvars)$|(?:^|\/)\.env(?:\.[\w-]+)?$|\.env$/i.test(path);
  return isSettings || /["'`]/.test(line.charAt(line.indexOf(value) - 1));
}

/** Not a word, a reference or a sentence: letters mixed with digits or symbols. */
function looksRandom(value: string, least: number): boolean {
  if (value.length < least || /[\s(){}<>[\]$]/.test(value) || /^[\w-]+(?:\.[\w-]+)+$/.test(value)) return false;
  const hasDigit = /\d/.test(value);
  const hasLetter = /[A-Za-z]/.test(value);
  return hasLetter && (hasDigit || /[!@#%^&*+=]/.test(value)) && !/^[a-z]+[-_:/][a-z-_:/]+\d?$/i.test(value);
}
