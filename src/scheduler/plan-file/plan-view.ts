/**
 * The plan's file follows the run: written atomically, at most every half second, at once when a wave or the run ends or
 * something fails. The file belongs to people: it is read again before each writing and looked at every second, what someone
 * else has changed in it is told, only the places that show the run's progress are changed, and a file that can no longer be
 * read as a plan is left alone.
 */
import { defined } from '../../base/defined.ts';
import { rename, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, divisiError } from '../../base/error.ts';
import type { EventKind, NewEvent, RunEvent } from '../../core/event/event.ts';
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
import { hashOf, type PlanText, readPlanText } from '../../project/plan-file.ts';

/** What someone else has made of the plan's file. */
export interface PlanFound {
  readonly file: string;
  readonly hash: string;
  /** As it was before; absent where this process has not seen it. */
  readonly before?: Plan;
  /** The marks that this process has written last; empty where it has written none. */
  readonly marks: ReadonlyMap<string, Mark>;
  /** As it is now, or why it is no plan any more. */
  readonly now: Plan | { readonly fault: string };
}

export interface PlanViewOptions {
  readonly project: string;
  /** Relative to the project. */
  readonly file: string;
  /** Whether the file may hold this by our own hand, or what it holds has been taken notice of. */
  readonly isKnown: (hash: string) => boolean;
  /** Lines for the log that may not have been written before a crash. */
  readonly unwritten: readonly string[];
  /** Puts it on record that the file is about to hold this. Durable when it returns. */
  readonly record: (event: Extract<NewEvent, { kind: 'plan.written' }>) => void;
  /** False: nobody can take notice of it now, so the file is left as it is for whoever comes next. */
  readonly changed: (found: PlanFound) => boolean;
  /** The file could not be written; the run goes on, for the ledger has everything. */
  readonly trouble: (error: unknown) => void;
}

export interface PlanView {
  /** After each commit. */
  follow(events: readonly RunEvent[], state: RunState): void;
  /** Writes what has not been written; throws what `trouble` would be told. */
  write(state: RunState): Promise<void>;
  /** Looks from time to time whether someone else has changed the file, until the view is closed. */
  watch(state: RunState): void;
  /** Gives the file the name of the run's state, if its name has one and the other is free. */
  rename(state: RunState): Promise<void>;
  /** Nothing is written any more when it returns. */
  close(): Promise<void>;
}

const interval = 500;
/** Milliseconds between two looks at a file that nobody has to write. */
const lookEvery = 1000;
/** Milliseconds in which a person's editor has written what it writes. */
const settling = 200;
/** Then the next change of the run has another go. */
const mostTries = 20;
const atOnce = new Set<EventKind>(['wave.ended', 'checkpoint.opened', 'run.paused', 'run.ended']);

export function planView(options: PlanViewOptions): PlanView {
  const { project, isKnown, unwritten, record, changed, trouble } = options;
  let { file } = options;
  let known = '';
  /** When we wrote it last, as the file has it; and when it was last looked at. */
  let ownTime = 0;
  let seenTime = 0;
  let document: PlanDocument | undefined;
  let before: Plan | undefined;
  let marks: ReadonlyMap<string, Mark> = new Map();
  /** Lines for the log that `document` does not hold. */
  let log: string[] = [...unwritten];
  const lines = progressLines();
  let timer: NodeJS.Timeout | undefined;
  let watching: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let pause = interval;
  let closed = false;

  /** The plan as it is on disk now; what we wrote ourselves is known. */
  function current({ text, hash: found }: PlanText): PlanDocument | undefined {
    if (found === known && document !== undefined) return document;
    const isOwn = found === known || isKnown(found);
    const reading = parsePlan(text, file);
    const now = reading.ok ? reading.document.plan : { fault: faultText(reading.faults) };
    if (!isOwn && !changed({ file, hash: found, marks, now, ...defined({ before }) })) {
      return undefined;
    }
    known = found;
    // Lines that were written before stand in the text already.
    log = log.filter((line) => !text.includes(itemText(line)));
    document = reading.ok ? reading.document : undefined;
    if (reading.ok) before = reading.document.plan;
    return document;
  }

  /** Someone else has just written it, and may not have finished. */
  async function isBeingSaved(): Promise<boolean> {
    const { mtimeMs } = await stat(join(project, file));
    seenTime = mtimeMs;
    return mtimeMs !== ownTime && Math.abs(Date.now() - mtimeMs) < settling;
  }

  /** Nothing, where someone else began to save it meanwhile: that may be the half of it. */
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
      const next = hashOf(text);
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
    // A plan that takes long to write is written less often.
    pause = Math.max(interval, 10 * (performance.now() - began));
  }

  function write(state: RunState): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.catch(() => undefined).then(() => writeNow(state));
    return writing.catch((cause: unknown) => {
      throw divisiError('PLAN_UNWRITABLE', {
        message: `the plan ${file} could not be written: ${messageOf(cause)}`,
        next: 'See whether the file and its folder may be written to and the disk has room. The ledger has everything; `divisi status` shows it.',
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
