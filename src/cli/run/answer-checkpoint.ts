/** `divisi approve` and `divisi reject`: answer a checkpoint from any terminal. */
import { defined } from '../../base/defined.ts';
import { divisiError } from '../../base/error.ts';
import { oneLine } from '../../base/text.ts';
import { answerRun } from '../../runtime/runtime.ts';
import { readLedger } from '../../project/project-ledger.ts';
import { longestNote } from '../../core/decide/answer-events.ts';
import { findRun } from '../../project/find-run.ts';
import { resumeCommand } from '../../views/text/typed-commands.ts';
import { type Answer, exitCodes, warn } from '../output.ts';

export interface AnswerOptions {
  readonly note?: string;
  readonly checkpoint?: string;
  readonly all?: boolean;
  readonly takeOver?: boolean;
}

function checkNote(note: string | undefined): void {
  if (note === undefined || note.length <= longestNote) return;
  throw divisiError('USAGE', {
    message: `--note has ${note.length} characters; nothing was answered`,
    expected: `at most ${longestNote} characters`,
    next: 'Shorten it, or put the rest into a file and name the file.',
  });
}

export async function answerCheckpoint(
  project: string,
  name: string | undefined,
  approved: boolean,
  { note, checkpoint, all, takeOver }: AnswerOptions,
): Promise<Answer> {
  checkNote(note);
  const ledger = readLedger(project);
  const row = findRun(ledger, name);
  ledger.close();
  const word = approved ? 'approve' : 'reject';
  const answer = { approved, ...defined({ note, checkpoint, all }) };
  const { delivered, status, answered } = await answerRun(row, answer, {
    project,
    environment: process.env,
    command: `divisi ${word} ${row.run}`,
    seen: () => undefined,
    warn,
    ...defined({ takeOver }),
  });
  const about = answered.map(
    (one) => `${one.checkpoint} ${approved ? 'approved' : 'rejected'}: ${oneLine(one.why, 300)}`,
  );
  const resume = resumeCommand(row.run, row.kind);
  const next = delivered
    ? `${row.run}: its process was notified.`
    : status === 'cancelled'
      ? `${row.run}: cancelled by the rejection; \`${resume}\` resumes it.`
      : status === 'running'
        ? `${row.run}: its conversation continues it; \`${resume}\` there if it does not.`
        : `${row.run}: \`${resume}\` resumes it.`;
  const json = { run: row.run, approved, delivered, status, checkpoints: answered };
  return { code: exitCodes.completed, json, text: [...about, next].join('\n') };
}
