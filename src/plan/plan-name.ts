/** Plan name: builds the file name of a plan from ten to twenty words and its state. */

export const planStates = ['inprogress', 'paused', 'completed', 'failed', 'cancelled'] as const;
export type PlanState = (typeof planStates)[number];

const fewestWords = 10;
const mostWords = 20;
/** Below the 255 bytes of a file name, with room for prefixes and suffixes. */
const longestStem = 180;
const longestWord = 40;
const mostRead = 4000;

const suffix = new RegExp(`-(?:${planStates.join('|')})(?=\\.md$)`);

interface Named {
  readonly title: string;
  readonly goal: string;
}

/** The common form of all spellings of a word: lower case, no accents or apostrophes. Reads only the beginning. */
export function fold(text: string): string {
  const folded = text.slice(0, mostRead).normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll('ß', 'ss');
  return folded.toLowerCase().replaceAll(/['’]/g, '');
}

/** ASCII only: every other character separates words. */
function wordsIn(text: string): string[] {
  return fold(text)
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** Takes words from the title, then the goal, then `more` (such as the titles of tasks), until there are enough. */
export function planFileName({ title, goal }: Named, state: PlanState, more: Iterable<string> = []): string {
  const words: string[] = [];
  let length = 0;
  const take = (text: string): void => {
    for (const word of wordsIn(text)) {
      const cut = word.slice(0, longestWord);
      if (words.length === mostWords || length + cut.length + 1 > longestStem) return;
      words.push(cut);
      length += cut.length + 1;
    }
  };
  take(title);
  if (words.length < fewestWords && goal !== title) take(goal);
  for (const text of more) {
    if (words.length >= fewestWords) break;
    take(text);
  }
  return `${words.length === 0 ? 'plan' : words.join('-')}-${state}.md`;
}

/** The name with another state; null for a name without a state, which a person chose. */
export function withState(fileName: string, state: PlanState): string | null {
  return suffix.test(fileName) ? fileName.replace(suffix, `-${state}`) : null;
}

/** The file name without folder, state and extension. */
export function stemOf(file: string): string {
  const name = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
  return name.replace(suffix, '').replace(/\.md$/, '');
}
