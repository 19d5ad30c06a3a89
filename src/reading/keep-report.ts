/** Copies an agent's report and worklog from its own folder into the project, where they outlive that folder. */
import { appendFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isRefusal } from '../base/error.ts';
import { redact } from '../base/redact.ts';
import { writeAtomically } from '../workspace/atomic-file.ts';
import { folderInside, locate, readInside } from '../workspace/project-path.ts';

/** The path of the kept report, or why there is none. */
export type Kept = { readonly report?: string; readonly degraded?: 'report-not-kept' };

interface Places {
  /** Absolute: the folder the agent worked in. */
  readonly directory: string;
  readonly reportPath: string;
}

export interface ReturnText {
  readonly text: string;
  /** True when this text is the accepted report, whatever the agent wrote besides. */
  readonly isReport: boolean;
  /** The path the agent gives for its report; not always the assigned one. */
  readonly elsewhere?: string;
}

/** Keeps the report the agent wrote, or its message if it wrote none. */
export async function keepReport(project: string, task: Places, said: ReturnText): Promise<Kept> {
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
    // The path cannot be read or written, or is not a file. The message is still in the driver's output file.
    if (!isRefusal(error)) throw error;
    return { degraded: 'report-not-kept' };
  }
  return { report: reportPath };
}

async function writtenReport(directory: string, path: string, elsewhere = path): Promise<string | undefined> {
  return (await readInside(directory, path)) ?? (await readInside(directory, elsewhere));
}

/** All attempts share one worklog. */
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
