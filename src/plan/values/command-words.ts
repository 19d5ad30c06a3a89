/**
 * Command words: splits a command line into words and joins words to a line. Quotes and backslashes keep blanks together; there
 * is no shell, so nothing else is special.
 */

/** Undefined for an open quote or an empty line. */
export function commandWords(text: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '\\' && quote !== "'") {
      at += 1;
      if (at === text.length) return undefined;
      word = (word ?? '') + text.charAt(at);
    } else if (quote !== '') {
      if (character === quote) quote = '';
      else word = (word ?? '') + character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + character;
  }
  if (quote !== '') return undefined;
  if (word !== undefined) words.push(word);
  return words.length === 0 || words[0] === '' ? undefined : words;
}

/** The words as a line for people; quotes words with special characters. */
export function commandLine(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}

export function shellWord(word: string): string {
  return /^[\p{L}\p{N}_@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
