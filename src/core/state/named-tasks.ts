/** Named tasks: finds the tasks that an agent's note names by their ids: `Task 2.4 can reuse roundToCents`. */

/** A number or a word alone is an id only after the word "task": `takes 3 seconds` names no task. */
const isOrdinary = (word: string): boolean => /^(?:\d+|[A-Za-z]+)$/.test(word);
const joins = new Set(['and', 'or', 'to']);

/** Linear in the length of the note. */
export function namedTasks(note: string, isTask: (id: string) => boolean): Set<string> {
  const found = new Set<string>();
  let isListed = false;
  for (const [word] of note.matchAll(/[A-Za-z0-9][A-Za-z0-9._-]*/g)) {
    if (/^tasks?$/i.test(word)) {
      isListed = true;
      continue;
    }
    const [id] = [word, word.replace(/^task[-_.]/i, '')].map(withoutDots).filter(isTask);
    if (id !== undefined && (isListed || !isOrdinary(word))) found.add(id);
    else isListed &&= joins.has(word.toLowerCase());
  }
  return found;
}

/** The dots at the end of a sentence. */
function withoutDots(word: string): string {
  let end = word.length;
  while (word[end - 1] === '.') end -= 1;
  return word.slice(0, end);
}
