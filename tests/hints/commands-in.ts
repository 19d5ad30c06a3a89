/** Finds the command lines of Divisi in any text: in backticks, or after `divisi` in prose up to the first word that cannot be part of one. */

/** Words that follow `divisi` in prose without being a command. */
const prose =
  /^(?:did|does|has|have|had|in|inside|is|itself|and|or|on|as|will|with|from|for|to|the|a|was|were|can|lists|tool|hook)$/;

/** Lowercase words that belong to a command line. */
const inCommand =
  /^(?:from|wave|task|skip|failed|resume|add|list|show|block|abandon|expand|check|repair|prompt|bash|zsh|fish)$/;

const word = /^(?:"[^"\n]*"|'[^'\n]*'|[^\s`"',;()|&>]+)/;

/** Each as its words, without `divisi`. */
export function commandsIn(text: string): string[][] {
  return [...text.matchAll(/(?<![\w/.@:-])divisi (?=[a-z-])/g)].flatMap(({ index }) => {
    const start = index + 'divisi '.length;
    const rest = text.slice(start, start + 400);
    const quoted = text[index - 1] === '`' ? /^[^`\n]*(?=`)/.exec(rest)?.[0] : undefined;
    const words = wordsOf(quoted ?? rest);
    return words.length === 0 || prose.test(words[0] ?? '') ? [] : [words];
  });
}

function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (let rest = text; ;) {
    const found = word.exec(rest)?.[0];
    if (found === undefined) return words;
    const last = found.replace(/[.:]+$/, '');
    const belongs = words.length === 0 || /^["'-]|[\d./…]|^[A-Z]/.test(last) || inCommand.test(last);
    if (!belongs || last === '') return words;
    words.push(last);
    rest = rest.slice(found.length);
    if (last !== found || !rest.startsWith(' ') || rest.startsWith('  ')) return words;
    rest = rest.slice(1);
  }
}

/** Names a run, plan or text that the reader has to fill in. */
export function isExample(words: readonly string[]): boolean {
  return words.some((one) => /…|^[[<]?[A-Z]{2,}|^N$/.test(one));
}
