/** Fields: reads counts, error texts and paragraphs from a client's JSON lines. */

/** A count that can be true, or 0. */
export function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : 0;
}

/** Everything a program says of an error, on one text: its words, and the names and numbers that stand for them. */
export function wordsOf(...values: readonly unknown[]): string {
  const words = values.filter((value) => typeof value === 'string' || typeof value === 'number').map(String);
  return [...new Set(words.filter((one) => one !== ''))].join(' · ');
}

/** Pieces of text that are messages of their own, one paragraph each. */
export function paragraphs(): (text: string) => string {
  let isFirst = true;
  return (text) => {
    const piece = isFirst ? text : `\n\n${text}`;
    isFirst = false;
    return piece;
  };
}
