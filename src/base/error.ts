/**
 * Error: the only factory for errors that reach a user or a caller. Every error says what was expected, what came, what to
 * do next, and whether a retry can help.
 *
 * A return that breaks its contract is not an error but a list of violations (`contracts/finding.ts`).
 */

/** Stable: callers branch on them, and `docs/errors/<CODE>.md` explains each one. */
export const errorCodes = [
  'ADOPT_REFUSED',
  'AGENT_FILE_INVALID',
  'AGENT_UNKNOWN',
  'ASSIGNMENT_INVALID',
  'BRIEF_BUDGET_TOO_SMALL',
  'CHECKPOINT_UNKNOWN',
  'COMMAND_FILE_INVALID',
  'CONFIG_INVALID',
  'CONFINE_UNAVAILABLE',
  'CONTRACT_FILE_INVALID',
  'CONTRACT_UNKNOWN',
  'DELEGATION_REFUSED',
  'DRIVER_UNKNOWN',
  'EVENT_INVALID',
  'GIT_FAILED',
  'GIT_MISSING',
  'INPUT_TOO_LARGE',
  'INPUT_UNREADABLE',
  'LEASE_HELD',
  'LEASE_LOST',
  'LEDGER_CORRUPT',
  'LEDGER_FULL',
  'LEDGER_NEWER',
  'LEDGER_UNWRITABLE',
  'MARKS_UNMERGED',
  'MERGE_REFUSED',
  'PATH_OUTSIDE',
  'PLAN_FINISHED',
  'PLAN_INVALID',
  'PLAN_SIMILAR',
  'PLAN_UNCONFIRMED',
  'PLAN_UNREADABLE',
  'PLAN_UNWRITABLE',
  'PROJECT_UNTRUSTED',
  'REPOSITORY_CHANGED',
  'REPOSITORY_LOCKED',
  'RESUME_NOT_READY',
  'RUN_CONDUCTED',
  'RUN_ENDED',
  'RUN_UNFINISHED',
  'RUN_UNKNOWN',
  'SCENARIO_INVALID',
  'STATE_UNSAFE',
  'TASK_FILES_UNUSABLE',
  'TASK_TRANSITION',
  'TASK_UNKNOWN',
  'UPDATE_REFUSED',
  'USAGE',
  'WORKLOG_LINE_INVALID',
  'WORKLOG_UNWRITABLE',
  'WORKSPACE_BASE_UNKNOWN',
  'WORKSPACE_PATH_MISSING',
  'WORKSPACE_SETUP_FAILED',
  'WORKSPACE_TEARDOWN_FAILED',
  'WORKSPACE_UNSUPPORTED',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

export interface ErrorFacts {
  readonly message: string;
  readonly expected?: string;
  readonly got?: string;
  /** The next step for the reader, as an imperative sentence. */
  readonly next: string;
  readonly retryable?: boolean;
  /** Identify what is at fault: a file and line, a delegation, a contract. */
  readonly ids?: Readonly<Record<string, string | number>>;
  readonly cause?: unknown;
}

export class DivisiError extends Error {
  readonly code: ErrorCode;
  readonly expected: string | undefined;
  readonly got: string | undefined;
  readonly next: string;
  readonly retryable: boolean;
  readonly ids: Readonly<Record<string, string | number>>;

  constructor(code: ErrorCode, facts: ErrorFacts) {
    super(facts.message, { cause: facts.cause });
    this.name = 'DivisiError';
    this.code = code;
    this.expected = facts.expected;
    this.got = facts.got;
    this.next = facts.next;
    this.retryable = facts.retryable ?? false;
    this.ids = facts.ids ?? {};
  }

  toJSON(): Record<string, unknown> {
    const { code, message, expected, got, next, retryable, ids } = this;
    return { code, message, expected, got, next, retryable, ids };
  }
}

export function divisiError(code: ErrorCode, facts: ErrorFacts): DivisiError {
  return new DivisiError(code, facts);
}

/** The message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The system's error code, such as `ENOENT`; undefined for any other error. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** True for errors with an outside cause: Divisi or the system refused. Any other error is a bug. */
export function isRefusal(error: unknown): error is Error {
  return error instanceof DivisiError || (error instanceof Error && 'syscall' in error);
}
