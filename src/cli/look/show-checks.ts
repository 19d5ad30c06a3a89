/** `divisi logs --checks` and `--setup`: prints what the commands that Divisi ran for an attempt wrote, each below its command. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { redact } from '../../base/redact.ts';
import type { DelegationId, RunId } from '../../base/ids.ts';
import type { CommandRun } from '../../core/event/verification.ts';
import { runFolder } from '../../delegation/delegation-files.ts';
import type { LedgerReader } from '../../ledger/ledger.ts';
import { readTail } from '../../process/output-file.ts';
import { terminalText } from '../../views/text/escape.ts';
import { commandText } from '../../views/run/proof-text.ts';
import { attemptName } from '../../workspace/git/room/room-name.ts';
import { isMissing } from '../../workspace/project-path.ts';
import { type Answer, exitCodes } from '../output.ts';

export interface ChecksOf {
  readonly project: string;
  readonly run: RunId;
  readonly task: string;
  readonly delegation: DelegationId;
  readonly attempt: number;
}

/** Bytes from the end of each output; the file has the rest. */
const mostShown = 8 * 1024 * 1024;

/** `accept-2.txt` → 2. */
const numberOf = (file: string): number => Number(/\d+/.exec(file)?.[0] ?? 0);

export async function showChecks(
  ledger: LedgerReader,
  of: ChecksOf,
  kind: 'accept' | 'setup',
  asJson: boolean,
): Promise<Answer> {
  const files = await outputsOf(of, kind);
  const commands = new Map(commandsOf(ledger, of).map((one) => [one.output ?? '', one]));
  const { run, task, delegation, attempt } = of;
  if (asJson) {
    const outputs = files.map((file) => ({ file, ...commands.get(file) }));
    return { code: exitCodes.completed, json: { run, task, delegation, attempt, outputs }, text: '' };
  }
  for (const file of files) {
    const command = commands.get(file);
    const about = command === undefined ? '' : `${commandText(command.argv)}: ${command.end}, `;
    process.stdout.write(`== ${about}${file}\n`);
    process.stdout.write(terminalText(redact(await readTail(join(of.project, file), mostShown)).text));
  }
  const what = kind === 'accept' ? 'acceptance' : 'set-up';
  const none = `attempt ${attempt} at ${task} ran no ${what} commands`;
  return { code: exitCodes.completed, json: undefined, text: files.length === 0 ? none : '' };
}

/** A later attempt in the same room has no set-up of its own: the one before it counts. */
async function outputsOf(of: ChecksOf, kind: 'accept' | 'setup'): Promise<string[]> {
  const folder = `${runFolder(of.run)}/checks/${attemptName(of.task, of.attempt)}`;
  const files = (await filesIn(join(of.project, folder)))
    // The output of a second run has another name.
    .filter((file) => file.startsWith(`${kind}-`) && /-\d+\.txt$/.test(file))
    .toSorted((one, other) => numberOf(one) - numberOf(other))
    .map((file) => `${folder}/${file}`);
  if (files.length > 0 || kind === 'accept' || of.attempt === 1) return files;
  return outputsOf({ ...of, attempt: of.attempt - 1 }, kind);
}

async function filesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function commandsOf(ledger: LedgerReader, { run, delegation }: ChecksOf): readonly CommandRun[] {
  let commands: readonly CommandRun[] = [];
  for (const event of ledger.read(run)) {
    if (event.kind === 'task.verified' && event.delegation === delegation) ({ commands } = event.verification);
  }
  return commands;
}
