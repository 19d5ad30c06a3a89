/** The name of a plan's file: what it is about, in ten to twenty words, and how it stands. */

export const planStates = ['inprogress', 'paused', 'completed', 'failed', 'cancelled'] as const;
export type PlanState = (typeof planStates)[number];

const fewestWords = 10;
const mostWords = 20;
/** Below the 255 bytes of a file name, with room for what others put around it. */
const longestStem = 180;
const longestWord = 40;
const mostRead = 4000;

const suffix = new RegExp(`-(?:${planStates.join('|')})(?=\\.md$)`);

interface Named {
  readonly title: string;
  readonly goal: string;
}

/** What two spellings of a word have in common: small letters without accents or apostrophes. Reads no more than a beginning. */
export function fold(text: string): string {
  const folded = text.slice(0, mostRead).normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll('ß', 'ss');
  return folded.toLowerCase().replaceAll(/['’]/g, '');
}

/** ASCII only: everything else separates words. */
function wordsIn(text: string): string[] {
  return fold(text)
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** Title first, then the goal, then `more` (such as the titles of tasks), as long as there are too few words. */
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

/** The name with another state in it; null where it carries none, for then it is somebody's own name. */
export function withState(fileName: string, state: PlanState): string | null {
  return suffix.test(fileName) ? fileName.replace(suffix, `-${state}`) : null;
}

/** The file's name without folder, state and ending. */
export function stemOf(file: string): string {
  const name = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
  return name.replace(suffix, '').replace(/\.md$/, '');
}
