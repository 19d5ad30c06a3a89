/** Why a task was skipped. Of a plan's: what it depends on. Of what a gate asked for, which has a colon in its id: in words. */
export function skippedText(task: string, because: string): string {
  return task.includes(':') ? because : `${because} did not complete`;
}
