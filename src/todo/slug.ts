/** Slug: derives folder names from titles. */

const most = 40;

/** Letters that do not decompose into a base letter and an accent. */
const spelled: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  đ: 'd',
  ħ: 'h',
  ı: 'i',
};

/** `Refactor: context (2)` → `refactor_context_2`: ASCII, at most 40 characters, cut between words if possible; `otherwise` if nothing is left. */
export function slugOf(title: string, otherwise = 'task'): string {
  // A longer title reaches 40 characters long before this; NFKD makes at most 18 characters of one.
  const letters = title
    .slice(0, 2000)
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[ßæœøðþłđħı]/g, (letter) => spelled[letter] ?? '')
    .replaceAll(/['’]/g, '');
  const words = letters.replaceAll(/[^a-z\d]+/g, '_').replaceAll(/^_|_$/g, '');
  return cut(words) || otherwise;
}

function cut(words: string): string {
  if (words.length <= most) return words;
  const end = words.lastIndexOf('_', most);
  return words.slice(0, end > most / 2 ? end : most).replace(/_$/, '');
}

/** `244_context_refactor`. */
export function taskFolder(number: number, slug: string): string {
  return `${number}_${slug}`;
}
