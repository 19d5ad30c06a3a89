/** TrialFacts: the result of a trial, as printed by `--json`. */
import { failureOf, verdictOf } from '../../core/event/make-outcome.ts';
import { join } from 'node:path';
import { redact } from '../../base/redact.ts';
import type { Failure, Outcome, Usage, Verdict } from '../../core/event/outcome.ts';
import type { Verification } from '../../core/event/verification.ts';
import type { DriverDescription } from '../../drivers/describe-driver.ts';
import { transcriptFiles } from '../../drivers/transcript/transcript-file.ts';
import type { Tier } from '../../plan/plan.ts';
import type { PermissionNote, Trial } from '../../runtime/trial/try-delegation.ts';
import { stateFolder } from '../../workspace/places.ts';
import { type ChangedFile, changedFile } from '../../workspace/git/changes.ts';

interface TrialDriver extends DriverDescription {
  readonly version?: string;
}

export interface TrialFacts {
  readonly trial: string;
  readonly delegation: string;
  readonly agent: string;
  readonly tier: Tier;
  readonly driver: {
    readonly name: string;
    readonly kind: DriverDescription['kind'];
    readonly title: string | null;
    readonly program: string | null;
    readonly version: string | null;
    /** Model of the tier; null for the default of the program. */
    readonly model: string | null;
    readonly effort: string | null;
  };
  readonly milliseconds: number;
  readonly end: string;
  /** The return satisfies its contract; null if there was no return. */
  readonly accepted: boolean | null;
  readonly repairs: number;
  readonly status: Outcome['status'];
  readonly summary: string;
  readonly failure: Failure | null;
  readonly verdict: Verdict | null;
  readonly verification: Omit<Verification, 'changes'> | null;
  readonly files: readonly ChangedFile[];
  readonly permissions: readonly PermissionNote[];
  readonly usage: Usage | null;
  /** Absolute. */
  readonly transcript: readonly string[];
  readonly report: string | null;
  readonly kept: { readonly folder: string; readonly branch: string } | null;
  readonly uncommitted: number;
  /** Suggested next step. */
  readonly next: string | null;
}

export async function trialFacts(project: string, trial: Trial, driver: TrialDriver): Promise<TrialFacts> {
  const { run, registered, ended, verification, kept, files } = trial;
  const { outcome, end } = ended;
  const transcripts = await transcriptFiles(join(stateFolder(project), files.transcript));
  return {
    trial: run,
    delegation: registered.delegation,
    agent: registered.agent,
    tier: registered.tier,
    driver: {
      name: driver.name,
      kind: driver.kind,
      title: driver.profile?.title ?? null,
      program: driver.program === undefined ? null : redact(driver.program).text,
      version: driver.version ?? null,
      model: driver.strength.model ?? null,
      effort: driver.strength.effort ?? null,
    },
    milliseconds: trial.milliseconds,
    end,
    accepted: isAccepted(outcome),
    repairs: outcome.repairs,
    status: outcome.status,
    summary: outcome.summary,
    failure: shownFailure(outcome),
    verdict: verdictOf(outcome) ?? null,
    verification: verification === undefined ? null : proofOf(verification),
    files: trial.changes.map(changedFile),
    permissions: trial.permissions,
    usage: outcome.usage ?? null,
    transcript: transcripts.map(({ path }) => path),
    report: outcome.report ?? null,
    kept: kept === undefined ? null : { folder: kept.folder, branch: kept.branch },
    uncommitted: trial.uncommitted,
    next: nextStep(trial, driver) ?? null,
  };
}

/** The message of a cancelled delegation is about its run, and a trial has none. */
function shownFailure(outcome: Outcome): Failure | null {
  const failure = failureOf(outcome);
  return failure?.class === 'cancelled' ? { ...failure, message: 'stopped' } : (failure ?? null);
}

/** An accepted result has claims or a verdict. */
function isAccepted(outcome: Outcome): boolean | null {
  if (outcome.claims !== undefined || verdictOf(outcome) !== undefined) return true;
  return failureOf(outcome)?.class === 'contract-violation' ? false : null;
}

function proofOf({ changes: _changes, ...proof }: Verification): Omit<Verification, 'changes'> {
  return proof;
}

/** Suggests a next step for a trial that did not complete. */
function nextStep({ ended, hadFolder }: Trial, driver: DriverDescription): string | undefined {
  const failure = failureOf(ended.outcome);
  // An agent that gives its own reason is set up correctly.
  if (failure === undefined || ended.outcome.claims !== undefined) return undefined;
  const kind = failure.class;
  switch (kind) {
    case 'environment':
      return hadFolder ? fixProgram(driver) : 'fix the named problem and try again; `divisi doctor` checks the project';
    case 'authentication':
      return fixProgram(driver);
    case 'context-full':
      return 'give it a smaller task, or try an agent of another vendor: divisi agents';
    case 'refusal':
    case 'no-answer':
      return 'word the task differently, or try an agent of another vendor: divisi agents';
    case 'quota':
      return failure.until === undefined
        ? 'wait until its limit is lifted, or try another agent: divisi agents'
        : `wait until ${new Date(failure.until).toISOString().slice(0, 19)}Z, or try another agent: divisi agents`;
    case 'timeout':
      return 'give it more time: --timeout SECONDS';
    case 'limit':
      return 'raise `limits` in .divisi/config.yaml, or give it a smaller task';
    case 'contract-violation':
      return 'see its output (divisi logs); a stronger --tier or another agent may satisfy the contract';
    case 'agent-error':
    case 'cancelled':
    case 'conflict':
    case 'lost':
    case 'steering':
    case 'unclear':
    case 'unfinished':
    case 'verification-failed':
      return undefined;
    default:
      return kind satisfies never;
  }
}

/** The program itself shows more than it reports to Divisi. */
function fixProgram({ name, profile, program, path }: DriverDescription): string {
  if (program !== undefined && path === undefined) return profile?.install ?? `put ${program} on the PATH`;
  return profile === undefined
    ? `run ${program ?? name} yourself to see whether it works`
    : `run ${profile.name} yourself, log in, and see whether it answers; divisi doctor shows which keys are set`;
}
