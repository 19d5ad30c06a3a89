/** What makes an implementation plan the plan it is: its phases, without how far they are. */
import { createHash } from 'node:crypto';
import { phaseWords } from '../todo/plan-phases.ts';

export function planKeyOf(text: string): string {
  return createHash('sha256').update(phaseWords(text)).digest('hex').slice(0, 32);
}
