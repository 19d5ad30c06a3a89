/** Creates the folders of a project: `.divisi`, with a `.gitignore`, and its state folder. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, divisiError, DivisiError } from '../base/error.ts';
import { folderInside } from '../workspace/project-path.ts';
import { isWrittenBefore, makeStateFolder } from '../workspace/state-folder.ts';

/** Not for version control: the files of runs, for people to read. Plans, contracts and the config are. */
const ignored = ['runs/', 'errors.json'];

export async function prepareFolder(project: string): Promise<void> {
  const folder = join(project, '.divisi');
  const ignore = join(folder, '.gitignore');
  try {
    await folderInside(project, '.divisi');
    await writeFile(ignore, `${ignored.join('\n')}\n`, { flag: 'wx' });
  } catch (cause) {
    if (cause instanceof DivisiError) throw cause;
    if (!isWrittenBefore(cause)) {
      // A full disk may leave an empty file.
      await rm(ignore, { force: true }).catch(() => undefined);
      throw divisiError('LEDGER_UNWRITABLE', {
        message: `${folder} could not be created: ${messageOf(cause)}`,
        next: 'Divisi writes reports and logs there: make the folder writable, with room on the disk.',
        ids: { file: folder },
        cause,
      });
    }
  }
  makeStateFolder(project);
}
