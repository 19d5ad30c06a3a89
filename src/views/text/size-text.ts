/** Bytes as a person reads them: `512 B`, `1.4 MB`. */
export function sizeText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let size = bytes;
  let unit = 0;
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  const shown = unit === 0 || size >= 10 ? Math.round(size).toString() : size.toFixed(1);
  return `${shown} ${units[unit] ?? ''}`;
}
