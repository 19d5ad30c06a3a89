/** Report sections: a section runs from its heading to the next one of the same or a higher rank. Pure. */
import { divisiError } from '../../base/error.ts';

interface Heading {
  /** Zero-based line. */
  readonly at: number;
  readonly rank: number;
  readonly title: string;
}

function headingsOf(lines: readonly string[]): Heading[] {
  return lines.flatMap((line, at) => {
    const found = /^(#{1,6})\s+(.+?)\s*$/.exec(line);
    return found === null ? [] : [{ at, rank: found[1]?.length ?? 0, title: found[2] ?? '' }];
  });
}

export function sectionTitles(text: string): string[] {
  return headingsOf(text.split('\n')).map(({ title }) => title);
}

/** Ignores case. Refuses an unknown name with USAGE and the names of the report at `path`. */
export function sectionOf(text: string, name: string, path: string): string {
  const lines = text.split('\n');
  const headings = headingsOf(lines);
  const start = headings.find(({ title }) => title.toLowerCase() === name.toLowerCase());
  if (start === undefined) {
    throw divisiError('USAGE', {
      message: `${path} has no section ${name}`,
      expected: headings.map(({ title }) => title).join(', ') || 'a report with sections',
      got: name,
      next: 'Name one of its sections, or leave the section out.',
    });
  }
  const end = headings.find(({ at, rank }) => at > start.at && rank <= start.rank);
  return lines.slice(start.at, end?.at).join('\n');
}
