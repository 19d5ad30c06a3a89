export function formatMoney(cents) {
  return `${Math.floor(cents / 100)}.${cents % 100}`;
}
