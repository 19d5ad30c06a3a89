/** What every agent of ours is told, whatever its role. */
import type { Agent } from './agent.ts';

export const house =
  'Work only on what you are given. What you cannot find out or may not do, you report instead of guessing.';

/** One thought a line. */
export function agent(name: string, contract: string, ...lines: readonly string[]): Agent {
  return { name, contract, instructions: `${lines.join('\n')} ${house}` };
}
