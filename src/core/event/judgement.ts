/** Judges work by a result: the verdict of a review, or the action that a contract derives from a return. */
import { oneLine } from '../../base/text.ts';
import { type Judgement, judgements } from '../../gates/gate-steps.ts';
import type { CompletedOutcome, StructuredResult } from './outcome.ts';

/** As a gate keeps it. `action` is in the agent's words. */
export interface GateVerdict {
  readonly priority: Judgement;
  readonly action: string;
  /** The attempt whose own result it is; absent for the verdict of a review. */
  readonly attempt?: number;
}

/** `review`: another agent judges. Null for a result that judges nothing. */
export function verdictIn({ verdict, structuredResult, summary }: CompletedOutcome): GateVerdict | 'review' | null {
  if (verdict !== undefined) return verdict;
  if (structuredResult === undefined) return null;
  const priority = judgements[structuredResult.action];
  if (priority === 'review' || priority === null) return priority;
  const findings = findingsOf(structuredResult);
  return { priority, action: oneLine(findings.length === 0 ? summary : findings.join('; '), 500) };
}

/** Fields with findings, besides those that count as notes by their contract. */
const findingFields = ['security', 'minor', 'warnings', 'recommendations'];
/** Fields that are findings unless they have the good value. */
const graded: Readonly<Record<string, readonly [what: string, good: string]>> = {
  test_coverage: ['test coverage', 'adequate'],
  test_status: ['tests', 'all-pass'],
};

/** The findings of a step, for the agent that fixes them. Work may be sent back for minor findings alone: then those count. */
export function findingsOf({ action, notes, fields }: StructuredResult): string[] {
  if (action !== 'fix') return [...notes];
  const more = findingFields.flatMap((name) => fields[name] ?? []).filter((found) => typeof found === 'string');
  const grades = Object.entries(graded).flatMap(([name, [what, good]]) => {
    const grade = fields[name];
    return typeof grade !== 'string' || grade === good ? [] : [`${what}: ${grade}`];
  });
  return [...new Set([...notes, ...more, ...grades])];
}
