import { readFileSync } from 'node:fs';
import { formatMoney } from './format-money.mjs';
import { parsePrices } from './parse-prices.mjs';

export function report(text) {
  const rows = parsePrices(text);
  const total = rows.reduce((sum, { cents }) => sum + cents, 0);
  return [...rows.map(({ name, cents }) => `${name} ${formatMoney(cents)}`), `total ${formatMoney(total)}`].join('\n');
}

if (process.argv[2]) console.log(report(readFileSync(process.argv[2], 'utf8')));
