/** Makes the `.divisi` folder of a project, with a `.gitignore` for what does not belong into version control. */
import { constants, open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, systemCode, divisiError, DivisiError } from '../base/error.ts';
import { folderInside } from '../workspace/project-path.ts';

/**
 * The ledger, what runs leave behind and the homes of agent programs are not for version control; plans, contracts and the
 * config are.
 */
const ignored = ['ledger.db*', 'runs/', 'worktrees/', 'store.git/', 'homes/', 'errors.json', 'sessions.jsonl'];

export async function prepareFolder(project: string): Promise<void> {
  const folder = join(project, '.divisi');
  const ignore = join(folder, '.gitignore');
  try {
    await folderInside(project, '.divisi');
    await writeFile(ignore, `${ignored.join('\n')}\n`, { flag: 'wx' });
  } catch (cause) {
    if (cause instanceof DivisiError) throw cause;
    if (systemCode(cause) === 'EEXIST') return ignoreHomes(ignore);
    // Without room it may have been made, and be empty.
    await rm(ignore, { force: true }).catch(() => undefined);
    throw divisiError('LEDGER_UNWRITABLE', {
      message: `${folder} could not be made: ${messageOf(cause)}`,
      next: 'Divisi keeps its ledger there: make the project a folder that may be written to, with room on the disk.',
      ids: { file: folder },
      cause,
    });
  }
}

const largestIgnore = 1024 * 1024;

/**
 * Earlier versions did not write this line, and homes have log-ins in them. All other lines of a file that is there are a person's
 * to keep or to take away, and so is this one, once it speaks of homes. Where it cannot be added, homes are ignored by a file of
 * their own.
 */
async function ignoreHomes(file: string): Promise<void> {
  const { O_RDWR, O_APPEND, O_NOFOLLOW, O_NONBLOCK } = constants;
  const handle = await open(file, O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK).catch(() => null);
  if (handle === null) return;
  try {
    const facts = await handle.stat();
    // An empty one is being written by another process, or is meant to be.
    if (!facts.isFile() || facts.size === 0 || facts.size > largestIgnore) return;
    const text = await handle.readFile('utf8');
    if (/^\W*homes\b|^\/?\*\s*$/m.test(text)) return;
    await handle.appendFile(`${text.endsWith('\n') ? '' : '\n'}homes/\n`);
  } catch {
    // As above.
  } finally {
    await handle.close();
  }
}
