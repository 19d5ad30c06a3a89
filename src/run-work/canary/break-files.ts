/**
 * Breaks files of the project in a room of their own, one after another, to see whether the acceptance commands notice. Never part
 * of a run: nothing is recorded, and the room is removed.
 */
import { constants, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { AcceptCommand } from '../../core/decide/accept-commands.ts';
import { isDocument, isGenerated, isTemplate, isTestFile } from '../../verify/checks/file-kinds.ts';
import { coverOf } from '../../verify/checks/cover.ts';
import { filesBelow } from '../../workspace/git/look-up.ts';
import { inMergedCheckout } from '../merged-checkout.ts';
import type { RunWorkspace } from '../run-workspace.ts';

export interface BrokenFile {
  readonly path: string;
  /** The commands that failed because of it. */
  readonly noticed: readonly (readonly string[])[];
}

export interface BreakSpec {
  readonly workspace: RunWorkspace;
  readonly run: string;
  /** Of the task. Empty: the whole project. */
  readonly scope: readonly string[];
  /** Paths of the scope that it may not touch. */
  readonly except: readonly string[];
  /** Commands that pass while nothing is broken. */
  readonly commands: readonly AcceptCommand[];
}

/** Each costs a run of every command. */
const mostFiles = 3;

/** No language and no format reads this. */
const nonsense = '\n)]}>>> divisi doctor has broken this file <<<{[(\n';

/** Empty where the scope has no file yet, or no command can notice. */
export async function breakFiles(spec: BreakSpec, signal: AbortSignal): Promise<BrokenFile[]> {
  const { workspace, run, commands } = spec;
  const { base } = workspace.facts;
  const files = await filesToBreak(spec);
  if (files.length === 0 || commands.length === 0) return [];
  const place = { workspace, run, name: 'break', checks: 'break', commit: base, marker: 'break' };
  return inMergedCheckout(place, signal, async ({ directory, check }) => {
    const broken: BrokenFile[] = [];
    for (const path of files) {
      const noticed: (readonly string[])[] = [];
      const before = await replace(join(directory, path), nonsense);
      for (const command of commands) if (!(await check(command, false)).ran.ok) noticed.push(command.argv);
      await replace(join(directory, path), before);
      broken.push({ path, noticed });
    }
    return broken;
  });
}

/** Code first: a document is read by no test. */
async function filesToBreak({ workspace, scope, except }: BreakSpec): Promise<string[]> {
  const isExcepted = coverOf([...except, '.divisi']);
  const all = await filesBelow(workspace.repository, workspace.facts.base, scope);
  const rank = (path: string): number =>
    isGenerated(path) ? 3 : isDocument(path) ? 2 : isTestFile(path) || isTemplate(path) ? 1 : 0;
  const own = all.filter((path) => !isExcepted(path));
  return own.toSorted((one, other) => rank(one) - rank(other)).slice(0, mostFiles);
}

/** Answers what was there. Keeps its mode, and never writes through a link. */
async function replace(file: string, content: string | Buffer): Promise<Buffer> {
  const { O_RDWR, O_NOFOLLOW } = constants;
  const handle = await open(file, O_RDWR | O_NOFOLLOW);
  try {
    const before = await handle.readFile();
    await handle.truncate(0);
    await handle.write(Buffer.from(content), 0, undefined, 0);
    return before;
  } finally {
    await handle.close();
  }
}
