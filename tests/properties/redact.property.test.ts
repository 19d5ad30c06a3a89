/** Redaction of any text: no throw, no second change, no surviving secret, no slow input. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redact } from '../../src/base/redact.ts';
import { runs } from './runs.ts';
import { leastTime } from '../support/processor-time.ts';

const mixed = (length: number): string => 'aB3dE5gH7jK9mN'.repeat(10).slice(0, length);
const words = (text: string): readonly string[] => text.split(' ');
const BEGIN = `${'-'.repeat(5)}BEGIN PRIVATE KEY${'-'.repeat(5)}`;
const END = BEGIN.replace('BEGIN', 'END');

/** Pieces of secrets, of what surrounds them and of markers: together they make the near misses. */
const FRAGMENTS = [
  words(
    'password password= DB_PASSWORD: api_key token token= secret=" aws_secret_access_key Bearer Basic Authorization:',
  ),
  words('= : => := == " \' ` """ \\ \\" \\\\\\" ( ) { } [ ] , ); ; & . - _ @ / < > ? # ** \\n %3D [32m'),
  words('a abcd 1 12345678 hunter2 $ ${ $PASS <x> process.env. *** null aaaaBBBBBBBB string'),
  words('[redacted: [redacted:x] [redacted:aws] redacted authorization] ://u: ://u:p@ ://u:$PASS@ ://'),
  words('sk- ghp_ AKIA glpat- whsec_ SG. eyJ 123456789:'),
  [`sk-ant-${mixed(9)}`, `ghp_${mixed(24)}`, `eyJ${mixed(9)}`, `.eyJ${mixed(9)}`, `.${mixed(9)}`, `AA${mixed(33)}`],
  [mixed(9), mixed(16), 'Q7'.repeat(8), BEGIN, END, BEGIN.slice(0, 11)],
  [' ', '\t', '\n', '\r', ', ', 'Bearer ', 'Basic ', ': string = ', '\u0000', '\ud800', '\udc00', 'é', '\u2028'],
].flat();

const fragment = fc.constantFrom(...FRAGMENTS);
const anything = fc.string({ unit: 'binary', maxLength: 8 });
const noise = fc
  .array(fc.oneof({ weight: 4, arbitrary: fragment }, { weight: 1, arbitrary: anything }), { maxLength: 14 })
  .map((parts) => parts.join(''));

describe('redact', () => {
  it('is total and reports kinds exactly when it changed the text', () => {
    const total = fc.property(noise, (text) => {
      const { text: clean, kinds } = redact(text);
      expect(kinds.length === 0).toBe(clean === text);
      expect(kinds).toEqual([...new Set(kinds)].toSorted());
    });
    fc.assert(total, runs);
  });

  it('is idempotent', () => {
    const idempotent = fc.property(noise, (text) => {
      const once = redact(text).text;
      expect(redact(once)).toEqual({ text: once, kinds: [] });
    });
    fc.assert(idempotent, runs);
  });
});

describe('a planted secret never survives', () => {
  type Planted = { readonly shown: string; readonly secret: string };

  /** Neither its beginning nor its end: half a key is a leak too. */
  function expectGone(text: string, { secret }: Planted): void {
    const clean = redact(text).text;
    expect(clean).not.toContain(secret.slice(0, 8));
    expect(clean).not.toContain(secret.slice(-8));
  }

  const ALNUM = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  const WORD = `${ALNUM}-_`;
  const characters = (alphabet: string, minLength: number, maxLength = minLength): fc.Arbitrary<string> =>
    fc.string({ unit: fc.constantFrom(...alphabet.split('')), minLength, maxLength });

  const prefixed = (prefix: string, alphabet: string, length: number): fc.Arbitrary<Planted> =>
    characters(alphabet, length).map((secret) => ({ shown: prefix + secret, secret }));

  const token = fc.oneof(
    prefixed('sk-ant-', WORD, 20),
    prefixed('sk-proj-', WORD, 40),
    prefixed('sk-', ALNUM, 48),
    prefixed('ghp_', ALNUM, 36),
    prefixed('github_pat_', WORD, 60),
    prefixed('glpat-', WORD, 20),
    prefixed('xoxp-', WORD, 40),
    prefixed('AKIA', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 16),
    prefixed('AIza', WORD, 35),
    prefixed('ya29.', WORD, 40),
    prefixed('sk_live_', ALNUM, 24),
    prefixed('whsec_', `${ALNUM}+/`, 32),
    prefixed('npm_', ALNUM, 36),
    prefixed('hf_', ALNUM, 34),
    prefixed(`SG.${mixed(22)}.`, WORD, 43),
    prefixed('dop_v1_', '0123456789abcdef', 64),
    prefixed('pypi-', WORD, 80),
    prefixed('123456789:AA', WORD, 33),
    prefixed(`eyJ${mixed(20)}.eyJ${mixed(30)}.`, WORD, 43),
  );
  /** Whatever may stand next to a token without being part of it. */
  const before = fc.constantFrom(' ', ' /', '\n', '\t', ...words('" \' ` = : ( [ , > \\n \\u0022 \u001b[1;31m %3D'));
  const after = fc.constantFrom(' ', '\n', '\t', ...words('" \' ` , ) ] . ; & < \\n \\u0022 \u001b[0m %26'));

  it('as a token, whatever is around it', () => {
    const gone = fc.property(noise, before, token, after, noise, (left, open, planted, close, right) => {
      expectGone(left + open + planted.shown + close + right, planted);
    });
    fc.assert(gone, runs);
  });

  /** The first letters keep it from being a placeholder. */
  const chosen = (alphabet: string): fc.Arbitrary<string> => characters(alphabet, 6, 30).map((rest) => `Zq${rest}`);
  const prefix = fc.constantFrom('', 'DB_', 'my-', 'user', 'export ');
  const key = fc.constantFrom(...words('password PASSWD pwd api_key apiKey client-secret access_token private_key'));
  const separator = fc.constantFrom('=', ':', '=>', ' = ', ': ', ' => ', '\t:\t', ' := ', '== ', ': string = ');
  const quote = fc.constantFrom(...words('" \' ` \\"'), '');
  const assigned = fc
    .tuple(prefix, key, separator, quote, chosen(`${WORD}!#$%*+./?@^|~`))
    .map(([start, name, sign, mark, secret]) => ({ shown: start + name + sign + mark + secret + mark, secret }));
  const header = fc
    .tuple(
      fc.constantFrom('Authorization: Bearer ', 'authorization: basic ', '"Authorization": "Basic '),
      chosen(ALNUM),
    )
    .map(([name, secret]) => ({ shown: name + secret, secret }));
  const login = fc
    .tuple(fc.constantFrom('', 'me', 'a.b'), chosen(`${WORD}!$*+.~@:`))
    .map(([user, secret]) => ({ shown: `https://${user}:${secret}@host/x`, secret }));
  const block = characters(`${ALNUM}+/\n`, 64).map((secret) => ({ shown: `${BEGIN}\n${secret}\n${END}`, secret }));

  it('as an assignment, a header, a login or a key block on lines of its own', () => {
    const gone = fc.property(noise, fc.oneof(assigned, header, login, block), noise, (left, planted, right) => {
      expectGone(`${left}\n${planted.shown}\n${right}`, planted);
    });
    fc.assert(gone, runs);
  });

  it('as any string in JSON, in JSON within JSON and once more, and nothing else is lost', () => {
    const wrapped = (password: string, depth: number): string =>
      depth === 0
        ? JSON.stringify({ user: 'joe', password, note: 'stays' })
        : JSON.stringify({ output: wrapped(password, depth - 1) });
    // A key block without an end would take the rest, as it must.
    const value = fc
      .array(fc.oneof(fragment, anything), { maxLength: 8 })
      .map((parts) => `Zq!~${parts.join('').replaceAll(BEGIN, '')}`);
    const gone = fc.property(value, fc.integer({ min: 0, max: 2 }), (password, depth) => {
      expect(redact(wrapped(password, depth)).text).toBe(wrapped('[redacted:assignment]', depth));
    });
    fc.assert(gone, runs);
  });
});

describe('time', () => {
  const filled = (unit: string, length: number): string =>
    unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

  const HOSTILE = [
    words(
      'eyJ eyJaaaaaaaaa. password=" password= secret= secret=\'secret=" password=a, password=\\" a://b:c a://b:c@ ://',
    ),
    words('sk- ghp_ \\ " = : AA [redacted: -'),
    [' ', ' =', 'secret:x ', 'basic ', 'Authorization: basic ', 'password: string ', '\u0000', '\ud800'],
    [BEGIN, BEGIN.slice(0, 11)],
  ].flat();

  it.each(HOSTILE)('is linear in a megabyte of %j', (unit) => {
    const text = filled(unit, 1_000_000);
    expect(leastTime(() => redact(text), 100)).toBeLessThan(100);
  });

  it('is linear in any repetition of fragments', () => {
    const unit = fc.array(fragment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));
    const quick = fc.property(unit, unit, (head, body) => {
      const text = head + filled(body, 100_000);
      expect(leastTime(() => redact(text), 50)).toBeLessThan(50);
    });
    fc.assert(quick, { numRuns: Math.ceil(runs.numRuns / 20) });
  });

  it('is short for ordinary text', () => {
    const prose =
      'Every password reset works; the token refresh flow, a basic one, is described in src/token.ts: see there. ';
    // Measured at 3 to 4 ms; the rest is for slow machines.
    const text = filled(prose, 1_000_000);
    expect(leastTime(() => redact(text), 25)).toBeLessThan(25);
  });

  // Where a repetition remembers every step, V8 gives up at some eight million.
  it.each([
    ['eyJ', 'eyJ'],
    ['password=', 'a'],
    ['password', ' '],
    ['password="', '*'],
    ['password=a,', 'a'],
    ['https://a:', 'a'],
    ['Bearer ', 'a'],
    ['Bearer', ' '],
    ['whsec_', 'a'],
    ['sk-', 'a'],
    ['secret=', 'a'],
    [BEGIN, ' '],
  ])('and does not run out of stack after %j in ten million %j', (head, unit) => {
    expect(() => redact(head + filled(unit, 10_000_000))).not.toThrow();
  });
});
