/**
 * PlanView: keeps the plan file in sync with the run. Writes atomically, at most every half second, and at once when a wave or the
 * run ends or a checkpoint opens. The file belongs to people: the view reads it before each write and every second, reports
 * edits by others, changes only the places that show progress, and leaves a file alone that is no longer a valid plan.
 */
import { defined } from '../../base/defined.ts';
import { rename, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, divisiError } from '../../base/error.ts';
import type { NewEvent, RunEvent } from '../../core/event/event.ts';
import type { EventKind } from '../../core/event/event-kinds.ts';
import type { RunState } from '../../core/state/state.ts';
import { editPlan, itemText } from '../../plan/edit-plan.ts';
import { parsePlan } from '../../plan/parse-plan.ts';
import type { PlanDocument } from '../../plan/plan-document.ts';
import { faultText } from '../../plan/plan-fault.ts';
import { withState } from '../../plan/plan-name.ts';
import type { Mark, Plan } from '../../plan/plan.ts';
import { logLine, planChanges, planState } from '../../views/files/plan-changes.ts';
import { progressLines } from '../../views/run/progress-lines.ts';
import { syncFolder, writeAtomically } from '../../workspace/atomic-file.ts';
import { isMissing } from '../../workspace/project-path.ts';
import { type PlanText, readPlanText } from '../../project/plan-file.ts';
import { hashText } from '../../workspace/hash-text.ts';

/** An edit of the plan file by another process or a person. */
export interface PlanFound {
  readonly file: string;
  readonly hash: string;
  /** The plan before the edit; absent where this process has not read it. */
  readonly before?: Plan;
  /** The marks this process wrote last. */
  readonly marks: ReadonlyMap<string, Mark>;
  /** The plan now, or why the file is not a valid plan. */
  readonly now: Plan | { readonly fault: string };
}

export interface PlanViewOptions {
  readonly project: string;
  /** Relative to the project. */
  readonly file: string;
  /** The run wrote this content itself, or has recorded it. */
  readonly isKnown: (hash: string) => boolean;
  /** Log lines that may be missing from the file after a crash. */
  readonly unwritten: readonly string[];
  /** Records the content that is about to be written. Durable when it returns. */
  readonly record: (event: Extract<NewEvent, { kind: 'plan.written' }>) => void;
  /** Takes an edit. False: the run cannot take it now, and the file stays as it is for the next session. */
  readonly changed: (found: PlanFound) => boolean;
  /** Reports a failed write; the run continues, because the ledger has everything. */
  readonly trouble: (error: unknown) => void;
}

export interface PlanView {
  /** Called after each commit. */
  follow(events: readonly RunEvent[], state: RunState): void;
  /** Writes pending changes; throws where `trouble` would be called. */
  write(state: RunState): Promise<void>;
  /** Checks the file for edits every second until the view is closed. */
  watch(state: RunState): void;
  /** Renames the file to the run's state, if its name has a state and the new name is free. */
  rename(state: RunState): Promise<void>;
  /** Stops writing; nothing is in flight when it resolves. */
  close(): Promise<void>;
}

const interval = 500;
/** Milliseconds between two checks of the file. */
const lookEvery = 1000;
/** Milliseconds that an editor may take to save the file. */
const settling = 200;
/** After these, the next change of the run tries again. */
const mostTries = 20;
const atOnce = new Set<EventKind>(['wave.ended', 'checkpoint.opened', 'run.paused', 'run.ended']);

export function planView(options: PlanViewOptions): PlanView {
  const { project, isKnown, unwritten, record, changed, trouble } = options;
  let { file } = options;
  let known = '';
  /** Modification time of the file at our last write, and at the last check. */
  let ownTime = 0;
  let seenTime = 0;
  let document: PlanDocument | undefined;
  let before: Plan | undefined;
  let marks: ReadonlyMap<string, Mark> = new Map();
  /** Log lines that are not in `document`. */
  let log: string[] = [...unwritten];
  const lines = progressLines();
  let timer: NodeJS.Timeout | undefined;
  let watching: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let pause = interval;
  let closed = false;

  /** The plan on disk; undefined where it is not valid or an edit was not taken. */
  function current({ text, hash: found }: PlanText): PlanDocument | undefined {
    if (found === known && document !== undefined) return document;
    const isOwn = found === known || isKnown(found);
    const reading = parsePlan(text, file);
    const now = reading.ok ? reading.document.plan : { fault: faultText(reading.faults) };
    if (!isOwn && !changed({ file, hash: found, marks, now, ...defined({ before }) })) {
      return undefined;
    }
    known = found;
    // Lines from an earlier write are in the text already.
    log = log.filter((line) => !text.includes(itemText(line)));
    document = reading.ok ? reading.document : undefined;
    if (reading.ok) before = reading.document.plan;
    return document;
  }

  /** An editor has just written the file and may still be saving. */
  async function isBeingSaved(): Promise<boolean> {
    const { mtimeMs } = await stat(join(project, file));
    seenTime = mtimeMs;
    return mtimeMs !== ownTime && Math.abs(Date.now() - mtimeMs) < settling;
  }

  /** Undefined where an editor started to save meanwhile: the text may be incomplete. */
  async function settled(path: string): Promise<PlanText | undefined> {
    const found = await readPlanText(path, file);
    return (await stat(path)).mtimeMs === seenTime ? found : undefined;
  }

  async function writeNow(state: RunState): Promise<void> {
    const began = performance.now();
    const path = join(project, file);
    for (let tries = 0; tries < mostTries; tries += 1) {
      if (await isBeingSaved()) {
        await sleep(settling / 2);
        continue;
      }
      const found = await settled(path);
      if (found === undefined) continue;
      const plan = current(found);
      if (plan === undefined) return;
      const changes = planChanges(state, log);
      const text = editPlan(plan, changes);
      const next = hashText(text);
      if (next === known) return;
      record({ kind: 'plan.written', file, hash: next });
      const isUnchanged = async (): Promise<boolean> => (await readPlanText(path, file)).hash === known;
      if (!(await writeAtomically(path, text, isUnchanged))) continue;
      known = next;
      marks = changes.marks;
      ownTime = (await stat(path)).mtimeMs;
      seenTime = ownTime;
      break;
    }
    // A plan that is slow to write is written less often.
    pause = Math.max(interval, 10 * (performance.now() - began));
  }

  function write(state: RunState): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.catch(() => undefined).then(() => writeNow(state));
    return writing.catch((cause: unknown) => {
      throw divisiError('PLAN_UNWRITABLE', {
        message: `the plan ${file} could not be written: ${messageOf(cause)}`,
        next: 'Check that the file and its folder are writable and the disk has room. The ledger has everything; `divisi status` shows it.',
        retryable: true,
        ids: { file },
        cause,
      });
    });
  }

  async function look(state: RunState): Promise<void> {
    const found = await stat(join(project, file)).catch(() => undefined);
    if (closed || found === undefined || found.mtimeMs === seenTime) return;
    await write(state).catch(trouble);
  }

  return {
    write,
    watch(state) {
      watching ??= setInterval(() => void look(state), lookEvery);
      watching.unref();
    },
    follow(events, state) {
      for (const event of events) {
        const line = logLine(event, state, lines);
        if (line !== undefined) log.push(line);
      }
      if (closed) return;
      if (events.some(({ kind }) => atOnce.has(kind))) void write(state).catch(trouble);
      else if (events.length > 0) timer ??= setTimeout(() => void write(state).catch(trouble), pause);
    },
    async rename(state) {
      const name = withState(basename(file), planState(state.status));
      if (name === null || name === basename(file)) return;
      const target = join(dirname(file), name);
      await writing.catch(() => undefined);
      if (await exists(join(project, target))) return;
      record({ kind: 'plan.written', file: target, hash: known });
      await rename(join(project, file), join(project, target));
      file = target;
      await syncFolder(dirname(join(project, target)));
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      clearInterval(watching);
      await writing.catch(() => undefined);
    },
  };
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
