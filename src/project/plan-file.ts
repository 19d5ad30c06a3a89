/** Reads plan files, and finds them after a change of state has renamed them. Refuses text that is not UTF-8. */
import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { messageOf, divisiError } from '../base/error.ts';
import { planStates, stemOf, withState } from '../plan/plan-name.ts';
import { hashText } from '../workspace/hash-text.ts';
import { readRegularFile } from '../workspace/regular-file.ts';

export interface PlanText {
  readonly text: string;
  readonly hash: string;
}

/** The parser's limit, in bytes. */
const largestPlan = 64 * 1024 * 1024;

export async function readPlanText(file: string, shown: string): Promise<PlanText> {
  let bytes: Buffer;
  try {
    bytes = await readRegularFile(file, largestPlan);
  } catch (cause) {
    throw divisiError('PLAN_UNREADABLE', {
      message: `${shown} cannot be read: ${messageOf(cause)}`,
      next: 'Name a plan that exists and is readable; `divisi list` shows the plans of earlier runs.',
      ids: { file: shown },
      cause,
    });
  }
  try {
    // Keeps a byte order mark: the file is written back unchanged.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, hash: hashText(text) };
  } catch (cause) {
    throw divisiError('PLAN_UNREADABLE', {
      message: `${shown} is not UTF-8 text`,
      next: 'Save it as UTF-8; nothing was changed.',
      ids: { file: shown },
      cause,
    });
  }
}

/** The names differ at most in the plan's state. */
export function isSamePlan(one: string, other: string): boolean {
  return dirname(one) === dirname(other) && stemOf(one) === stemOf(other);
}

/** The plan's current file: its recorded name, or that of another state. */
export async function findPlanFile(project: string, recorded: string): Promise<string> {
  const names = planStates.flatMap((state) => withState(basename(recorded), state) ?? []);
  for (const name of [basename(recorded), ...names]) {
    const file = join(dirname(recorded), name);
    const found = await stat(join(project, file)).catch(() => undefined);
    if (found?.isFile() === true) return file;
  }
  return recorded;
}
