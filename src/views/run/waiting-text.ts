/** What a task waits for, in words. */
import { oneLine } from '../../base/text.ts';
import type { Waiting } from '../../core/state/waiting.ts';

export function waitingText(waiting: Waiting): string {
  switch (waiting.for) {
    case 'wave':
      return `waits for its wave (${waiting.wave})`;
    case 'dependency':
      return `waits for ${waiting.tasks.join(', ')}`;
    case 'scope-lock':
      return `waits for ${waiting.task}, which works in the same files`;
    case 'concurrency':
      return `waits for a free place (${waiting.most} at a time)`;
    case 'checkpoint':
      return `waits for a checkpoint: ${oneLine(waiting.why, 160)}`;
    case 'gate':
      return `waits for its review (${waiting.gate})`;
    case 'quota':
      return `waits for a quota until ${new Date(waiting.until).toISOString().slice(0, 19)}Z${waiting.guessed ? ', a guess' : ''}`;
    case 'start':
      return `the run is ${waiting.run}`;
    default:
      return waiting satisfies never;
  }
}

/** A task of the plan names its dependency; a task that a gate added (its id has a colon) gives the reason in words. */
export function skippedText(task: string, because: string): string {
  return task.includes(':') ? because : `${because} did not complete`;
}
