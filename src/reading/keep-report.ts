/** What an agent leaves in its own folder about its work is taken over into the project, and outlives that folder. */
import { appendFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isRefusal } from '../base/error.ts';
import { redact } from '../base/redact.ts';
import { folderInside, writeAtomically } from '../workspace/atomic-file.ts';
import { locate, readInside } from '../workspace/project-path.ts';

/** Where the report is now, or why there is none. */
export type Kept = { readonly report?: string; readonly degraded?: 'report-not-kept' };

interface Places {
  /** Absolute: where it worked. */
  readonly directory: string;
  readonly reportPath: string;
}

export interface Said {
  readonly text: string;
  /** It counts for more than a report it wrote: it was asked again since then, or for no report at all. */
  readonly isReport: boolean;
  /** Where it says that its report is; not always where it was to be. */
  readonly elsewhere?: string;
}

/** The report is what the agent wrote; where it wrote nothing, what it said. */
export async function keepReport(project: string, task: Places, said: Said): Promise<Kept> {
  const { directory, reportPath } = task;
  try {
    const place = await locate(directory, reportPath);
    if (place.found === 'outside') return { degraded: 'report-not-kept' };
    const written = said.isReport ? undefined : await writtenReport(directory, reportPath, said.elsewhere);
    const text = written ?? said.text;
    if (text.trim() === '') return {};
    await folderInside(project, dirname(reportPath));
    await writeAtomically(join(project, reportPath), redact(text).text);
  } catch (error) {
    // It cannot be read or written, or something else stands there: what was said is still in the driver's file.
    if (!isRefusal(error)) throw error;
    return { degraded: 'report-not-kept' };
  }
  return { report: reportPath };
}

async function writtenReport(directory: string, path: string, elsewhere = path): Promise<string | undefined> {
  return (await readInside(directory, path)) ?? (await readInside(directory, elsewhere));
}

/** Attempts follow one another in one worklog. */
export async function collectWorklog(
  project: string,
  { directory, worklogPath }: Pick<Places, 'directory'> & { readonly worklogPath: string },
): Promise<void> {
  try {
    const lines = await readInside(directory, worklogPath);
    if (lines === undefined || lines === '') return;
    await folderInside(project, dirname(worklogPath));
    await appendFile(join(project, worklogPath), redact(lines).text);
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
}
