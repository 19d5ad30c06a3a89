/** How a heading is looked up, whoever wrote it. */
export function headingName(heading: string): string {
  return heading
    .slice(0, 100)
    .replace(/(?<![#*:\s])[#*:\s]+$/, '')
    .toLowerCase();
}
