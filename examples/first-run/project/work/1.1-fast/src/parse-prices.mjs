export function parsePrices(text) {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [name, cents] = line.split(',');
      return { name, cents: Number(cents) };
    });
}
