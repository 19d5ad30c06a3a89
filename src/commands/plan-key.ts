/** PlanKey: identifies an implementation plan by its phases, without their marks. */
import { hashText } from '../workspace/hash-text.ts';
import { phaseWords } from '../todo/plan-phases.ts';

export function planKeyOf(text: string): string {
  return hashText(phaseWords(text)).slice(0, 32);
}
