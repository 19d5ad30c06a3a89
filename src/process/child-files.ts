/** Opens the files of a child's standard streams before it starts, and hands them over. */
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface ChildFiles {
  readonly stdin: number | 'ignore';
  readonly stdout: number | 'pipe';
  readonly stderr: number;
}

export interface ChildFilePaths {
  readonly input?: string;
  /** Absent: a pipe. */
  readonly stdout?: string;
  readonly stderr: string;
}

export function openFiles({ input, stdout, stderr }: ChildFilePaths): ChildFiles {
  const opened: number[] = [];
  const keep = (descriptor: number): number => {
    opened.push(descriptor);
    return descriptor;
  };
  try {
    const out = stdout === undefined ? 'pipe' : keep(openToAppend(stdout));
    const err = out !== 'pipe' && stderr === stdout ? out : keep(openToAppend(stderr));
    return { stdin: input === undefined ? 'ignore' : keep(openInput(input)), stdout: out, stderr: err };
  } catch (error) {
    opened.forEach((descriptor) => closeSync(descriptor));
    throw error;
  }
}

/** Closes our descriptors; the child has its own. */
export function closeFiles({ stdin, stdout, stderr }: ChildFiles): void {
  const descriptors = new Set([stdin, stdout, stderr]);
  for (const descriptor of descriptors) if (typeof descriptor === 'number') closeSync(descriptor);
}

function openToAppend(path: string): number {
  mkdirSync(dirname(path), { recursive: true });
  return openSync(path, 'a', 0o600);
}

/** An unlinked file with the complete text: private, not cut short by our death, and gone with its last reader. */
function openInput(input: string): number {
  const folder = mkdtempSync(join(tmpdir(), 'divisi-input-'));
  try {
    const path = join(folder, 'input');
    writeFileSync(path, input, { mode: 0o600 });
    return openSync(path, 'r');
  } finally {
    // Windows does not remove an open file: it stays in the temporary folder.
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {}
  }
}
