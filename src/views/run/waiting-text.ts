/** Explains why a task is not running: what it waits for, or why it was skipped. */
import { oneLine } from '../../base/text.ts';
import { diskText } from '../../core/state/disk.ts';
import type { Waiting } from '../../core/state/waiting.ts';

export function waitingText(waiting: Waiting): string {
  switch (waiting.for) {
    case 'wave':
      return `waiting for wave ${waiting.wave}`;
    case 'dependency':
      return `waiting for ${waiting.tasks.join(', ')}`;
    case 'scope-lock':
      return `waiting for ${waiting.task} (overlapping scope)`;
    case 'concurrency':
      return `waiting for a free slot (${waiting.most} at a time)`;
    case 'checkpoint':
      return `waiting for you: ${oneLine(waiting.why, 160)}`;
    case 'gate':
      return `waiting for its review (${waiting.gate})`;
    case 'quota':
      return `waiting for quota until ${new Date(waiting.until).toISOString().slice(0, 19)}Z${waiting.guessed ? ' (estimated)' : ''}`;
    case 'disk':
      return `waiting for disk space: ${diskText(waiting)}`;
    case 'start':
      return `waiting for the run (${waiting.run})`;
    default:
      return waiting satisfies never;
  }
}

/** A task of the plan names its dependency; a task that a gate added (its id has a colon) gives the reason in words. */
export function skippedText(task: string, because: string): string {
  return task.includes(':') ? because : `${because} did not complete`;
}
