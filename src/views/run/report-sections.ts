/**
 * Report sections: a section runs from its heading to the next one of the same or a higher rank. Notes, acceptance
 * check, errors and next steps are fields of a return, not sections: they are appended as such. Pure.
 */
import { divisiError } from '../../base/error.ts';
import { oneLine } from '../../base/text.ts';
import { checksOf, notesOf } from '../../core/event/make-outcome.ts';
import type { Outcome, ReportedError } from '../../core/event/outcome.ts';
import { checkText } from './proof-text.ts';

interface Heading {
  /** Zero-based line. */
  readonly at: number;
  readonly rank: number;
  readonly title: string;
}

function headingsOf(lines: readonly string[]): Heading[] {
  return lines.flatMap((line, at) => {
    const found = /^(#{1,6})\s+(?=\S)/.exec(line);
    return found === null ? [] : [{ at, rank: found[1]?.length ?? 0, title: line.slice(found[0].length).trimEnd() }];
  });
}

export function errorText({ type, message, recoverable, recommendation }: ReportedError): string {
  const advice = recommendation === undefined ? '' : `; the agent recommends: ${oneLine(recommendation, 300)}`;
  return `${oneLine(type, 40)} error${recoverable ? '' : ', not recoverable'}: ${oneLine(message, 300)}${advice}`;
}

/** The report, followed by what the run has recorded of its other fields. */
export function withRecorded(text: string, outcome: Outcome | undefined): string {
  const section = (title: string, lines: readonly string[]): string =>
    lines.length === 0 ? '' : `\n## ${title}\n\n${lines.map((line) => `- ${line}\n`).join('')}`;
  const notes = notesOf(outcome).map((note) => oneLine(note, 500));
  const { errors = [], nextSteps } = outcome?.structuredResult ?? {};
  const recorded = [
    section('Notes for orchestrator', notes),
    section('Acceptance check', checksOf(outcome).map(checkText)),
    section('Errors', errors.map(errorText)),
    section('Next steps', nextSteps === undefined ? [] : [oneLine(nextSteps, 500)]),
  ];
  return `${text.trimEnd()}\n${recorded.join('')}`;
}

/** The name of a field is the name of its section. */
const spelled = (name: string): string => name.replaceAll('_', ' ').toLowerCase();

export function sectionTitles(text: string): string[] {
  return headingsOf(text.split('\n')).map(({ title }) => title);
}

/** Ignores case; `_` is a blank. Refuses an unknown name with USAGE and the names of the report at `path`. */
export function sectionOf(text: string, name: string, path: string): string {
  const lines = text.split('\n');
  const headings = headingsOf(lines);
  const start = headings.find(({ title }) => spelled(title) === spelled(name));
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
