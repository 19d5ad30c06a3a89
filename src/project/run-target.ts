/** Classifies the input of `divisi run`: a plan, a description, words to resume, or nothing. Pure. */
import { divisiError } from '../base/error.ts';

export type RunTarget =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'resume'; readonly words: readonly string[] }
  | { readonly kind: 'standard-input' }
  | { readonly kind: 'plan'; readonly file: string }
  | { readonly kind: 'description'; readonly description: string };

const isPlanName = (word: string): boolean => /\.md$/i.test(word);

/** A path need not exist: a mistyped one must not become a description. */
function looksLikePath(word: string): boolean {
  return !/\s/.test(word) && (word.includes('/') || word.includes('\\') || isPlanName(word));
}

export function runTarget(words: readonly string[], exists: (path: string) => boolean): RunTarget {
  const [first = '', ...rest] = words;
  const text = words.join(' ').trim();
  if (text === '') return { kind: 'nothing' };
  if (/^resume(?:[\s,;]|$)/i.test(text)) return { kind: 'resume', words };
  if (rest.length === 0) {
    if (first === '-') return { kind: 'standard-input' };
    return exists(first) || looksLikePath(first)
      ? { kind: 'plan', file: first }
      : { kind: 'description', description: text };
  }
  if (first === '-' || exists(first) || words.every(isPlanName)) {
    throw divisiError('USAGE', {
      message: 'only one plan can run at a time',
      expected: 'one plan, or a description',
      got: text,
      next: 'Name one plan; put a description between quotes.',
    });
  }
  return { kind: 'description', description: text };
}
