/** Why commands that stand in the plan do not count for anything. */
import { counted } from '../text/counted.ts';

export function unconfirmedText(commands: number): string {
  return `${counted(commands, 'command')} of the plan, because no person has confirmed it`;
}
