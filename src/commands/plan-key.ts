/** PlanKey: identifies an implementation plan by its phases, without their marks. */
import { createHash } from 'node:crypto';
import { phaseWords } from '../todo/plan-phases.ts';

export function planKeyOf(text: string): string {
  return createHash('sha256').update(phaseWords(text)).digest('hex').slice(0, 32);
}
