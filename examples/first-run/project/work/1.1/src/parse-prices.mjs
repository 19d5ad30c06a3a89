/** Lines of `name,cents` → rows; a line that is not one is an error with its number. */
export function parsePrices(text) {
  return text
    .trim()
    .split('\n')
    .map((line, at) => {
      const [name, cents] = line.split(',');
      if (!name || !/^\d+$/.test(cents ?? '')) throw new Error(`line ${at + 1} is not "name,cents": ${line}`);
      return { name, cents: Number(cents) };
    });
}
