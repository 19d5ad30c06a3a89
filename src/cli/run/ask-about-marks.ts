/** Asks what becomes of ticked tasks whose work is not where the new run starts; `--marks` answers it beforehand. */
import { divisiError } from '../../base/error.ts';
import { marksToAsk } from '../../runtime/plans/unmerged-marks.ts';
import type { NewRunOptions } from '../../runtime/runtime.ts';
import { ask, isTerminal } from '../ask.ts';

type Marks = Pick<NewRunOptions, 'marks'>;

const answers = ['branch', 'again', 'done'] as const satisfies NonNullable<Marks['marks']>[];
const choices = {
  branch: 'start from that branch, merged with your base',
  again: 'do them again',
  done: 'take them as done',
} as const satisfies Record<NonNullable<Marks['marks']>, string>;

export function marksFrom(text: string | undefined): Marks {
  if (text === undefined) return {};
  const marks = answers.find((one) => one === text);
  if (marks !== undefined) return { marks };
  throw divisiError('USAGE', {
    message: `unknown answer about marks ${JSON.stringify(text)}`,
    expected: answers.join(', '),
    got: text,
    next: 'Give one of them, or leave it out.',
  });
}

/** Where no person can be asked, the run is refused (MARKS_UNMERGED). */
export async function askAboutMarks(
  project: string,
  file: string,
  { marks, json }: Marks & { readonly json: boolean },
): Promise<Marks | 'quit'> {
  if (marks !== undefined || json || !isTerminal()) return {};
  const asked = await marksToAsk(file, { project, environment: process.env });
  if (asked === undefined) return {};
  const about = [
    'Some tasks are ticked, but their work is not where the run starts:',
    ...asked.lines.map((line) => `  ${line}`),
  ];
  const choice = await ask({ about: about.join('\n'), choices: asked.answers.map((one) => choices[one]) });
  if (typeof choice !== 'number') return 'quit';
  const [one] = asked.answers.slice(choice);
  return one === undefined ? 'quit' : { marks: one };
}
