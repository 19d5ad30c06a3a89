/** Creates the `.divisi` folder of a project, with a `.gitignore`. */
import { constants, open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, systemCode, divisiError, DivisiError } from '../base/error.ts';
import { folderInside } from '../workspace/project-path.ts';

/**
 * Not for version control: the ledger, the files of runs and the homes of agent programs. Plans, contracts and the config are.
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
    // A full disk may leave an empty file.
    await rm(ignore, { force: true }).catch(() => undefined);
    throw divisiError('LEDGER_UNWRITABLE', {
      message: `${folder} could not be created: ${messageOf(cause)}`,
      next: 'Divisi keeps its ledger there: make the folder writable, with room on the disk.',
      ids: { file: folder },
      cause,
    });
  }
}

const largestIgnore = 1024 * 1024;

/**
 * Adds the line for homes, which contain log-ins, to a file that lacks it. All other lines are the person's, and so is this one once
 * the file mentions homes. Where it cannot be added, homes have an ignore file of their own.
 */
async function ignoreHomes(file: string): Promise<void> {
  const { O_RDWR, O_APPEND, O_NOFOLLOW, O_NONBLOCK } = constants;
  const handle = await open(file, O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK).catch(() => null);
  if (handle === null) return;
  try {
    const facts = await handle.stat();
    // Another process may be writing an empty file, or it is empty on purpose.
    if (!facts.isFile() || facts.size === 0 || facts.size > largestIgnore) return;
    const text = await handle.readFile('utf8');
    if (/^\W*homes\b|^\/?\*\s*$/m.test(text)) return;
    await handle.appendFile(`${text.endsWith('\n') ? '' : '\n'}homes/\n`);
  } catch {
    // Homes have an ignore file of their own.
  } finally {
    await handle.close();
  }
}
