/**
 * What the last turn of a dead orchestrator returned. The program writes its transcript itself: a turn that went on after our
 * death is there as well. What was shown of it until then is not its return; only what the program called one is.
 */
import type { DriverTask } from '../driver.ts';
import { keepReturn, lastTurn, readSaid } from '../said.ts';
import { jsonLines } from './json-lines.ts';
import type { OneShotSettings } from './one-shot-settings.ts';
import { turnAccount } from './turn-account.ts';
import { reopenTranscript, transcriptFile } from './turn-files.ts';

export async function recoverTurn(task: DriverTask, profile: OneShotSettings['profile']): Promise<string | null> {
  const { file, end } = await lastTurn(task.outputFile);
  if (end === 'unreturned') return null;
  if (end === 'returned') return (await readSaid(file)) || null;
  const opened = await reopenTranscript(file, transcriptFile(task, profile.name));
  if (opened === null) return null;
  try {
    const account = turnAccount(profile.oneShot.reader());
    const lines = jsonLines(opened.handle, opened.from);
    for await (const line of lines.next()) account.take(line);
    lines.last().forEach(account.take);
    const reported = account.end();
    if (reported?.kind !== 'returned' || reported.text === '') return null;
    // The transcript may be put away before anybody has taken this down.
    await keepReturn(file, reported.text);
    return reported.text;
  } finally {
    await opened.handle.close();
  }
}
