/**
 * Worklog files: append-only, one JSON object per line. A line cut short by a crash stays, and the next append starts
 * on a new line, so that nothing written before or after is lost.
 */
import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { divisiError } from '../base/error.ts';
import { redact } from '../base/redact.ts';
import { inWords } from '../base/schema-words.ts';
import { type WorklogLine, worklogLineSchema } from '../base/worklog.ts';
import { isMissing } from './project-path.ts';

/** Secrets in the message are redacted before they reach the disk. */
export async function appendWorklog(file: string, line: WorklogLine): Promise<void> {
  const parsed = worklogLineSchema.safeParse(withoutSecrets(line), inWords);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw divisiError('WORKLOG_LINE_INVALID', {
      message: `not a worklog line: ${issue?.path.map(String).join('.') ?? ''}: ${issue?.message ?? ''}`,
      next: 'Correct the line; nothing was written.',
      ids: { file },
    });
  }
  try {
    await append(file, `${JSON.stringify(parsed.data)}\n`);
  } catch (cause) {
    throw divisiError('WORKLOG_UNWRITABLE', {
      message: `the worklog ${file} could not be written`,
      next: 'Check that the folder exists, is writable and has free space.',
      retryable: true,
      ids: { file },
      cause,
    });
  }
}

function withoutSecrets(line: WorklogLine): WorklogLine {
  return typeof line.message === 'string' ? { ...line, message: redact(line.message).text } : line;
}

async function append(file: string, line: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const handle = await open(file, 'a+');
  try {
    const { size } = await handle.stat();
    const last = Buffer.alloc(1);
    if (size > 0) await handle.read(last, 0, 1, size - 1);
    const torn = size > 0 && last[0] !== 0x0a;
    await handle.appendFile(torn ? `\n${line}` : line);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export interface Worklog {
  readonly lines: readonly WorklogLine[];
  /** Numbers (from 1) of invalid lines: cut short, or written by another program. */
  readonly unreadable: readonly number[];
}

/** An agent that wrote nothing has an empty worklog. */
async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return '';
    throw error;
  }
}

export async function readWorklog(file: string): Promise<Worklog> {
  const lines: WorklogLine[] = [];
  const unreadable: number[] = [];
  const rows = (await textOf(file)).split('\n');
  for (const [at, row] of rows.entries()) {
    if (row === '') continue;
    const line = parseLine(row);
    if (line === undefined) unreadable.push(at + 1);
    else lines.push(line);
  }
  return { lines, unreadable };
}

function parseLine(row: string): WorklogLine | undefined {
  try {
    return worklogLineSchema.safeParse(JSON.parse(row)).data;
  } catch {
    return undefined;
  }
}
