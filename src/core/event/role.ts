/** Role: the reason a task exists. */

/** A gate asks for each of these; the plan asks for `work`. */
export const gateRoles = ['wave-review', 'task-review', 'final-review', 'audit', 'fix'] as const;
export type GateRole = (typeof gateRoles)[number];
export type Role = 'work' | GateRole;

/** A review gives a verdict, a fix does work. */
export function isReview(role: Role): boolean {
  return role !== 'work' && role !== 'fix';
}
