/** Where a run waits for a person: as planned, or because of trouble. `checkpoint-question.ts` says what the answers mean. */
export const checkpointKinds = [
  'planned',
  'review',
  'failure',
  'breaker',
  'budget',
  'edit',
  /** A step of a feature says no for the third time. */
  'feature',
  /** Features need one another in a circle. */
  'cycle',
] as const;
export type CheckpointKind = (typeof checkpointKinds)[number];
