/** What of a reading the run remembers. Summaries are agents' words: redacted by reading, cut here. */
import { defined } from '../base/defined.ts';
import { limits } from '../contracts/field.ts';
import { type Violation, violationText } from '../contracts/finding.ts';
import { flatten } from '../base/flatten.ts';
import { redact } from '../base/redact.ts';
import type { Contract } from '../contracts/contract.ts';
import type { Reading, Result } from '../contracts/result.ts';
import { actionFor } from '../contracts/registry.ts';
import { isUsable, mostDocument } from '../core/features/feature-document.ts';
import type { Failure, Outcome, Told } from '../core/event/outcome.ts';
import type { FailureClass } from '../gates/failure-policy.ts';
import { priorities } from '../gates/gate-steps.ts';
import { claimsOf } from '../verify/checks/claims.ts';
import { copiesExample } from '../verify/checks/copied-example.ts';

export interface Account {
  readonly repairs: number;
  readonly report?: string;
  /** Something about the account itself that makes it worth less. */
  readonly degraded?: 'report-not-kept';
}

const mostFiles = 200;
const mostClaims = 2000;
const mostMessage = 500;

function shown(text: string): string {
  return flatten(redact(text).text).slice(0, mostMessage);
}

function filesOf({ filesTouched = [] }: Partial<Result>): string[] {
  // Salvage has not been checked as a whole.
  return filesTouched.slice(0, mostFiles).flatMap(({ path }: { path?: string }) => (path === undefined ? [] : [path]));
}

function accountOf(
  { degraded, ...account }: Account,
  flags: readonly string[] = [],
): Pick<Outcome, 'repairs' | 'degraded'> {
  return { ...account, degraded: degraded === undefined ? [...flags] : [...flags, degraded] };
}

/** What an agent says about its own failure; a permission it lacks is nothing a stronger one has. */
function classOf({ status, errors: [first] }: Result): FailureClass {
  if (first?.type === 'permission') return 'environment';
  if (first?.type === 'timeout') return 'timeout';
  return status === 'blocked' ? 'unclear' : 'agent-error';
}

/** By its contract the same work is given back, with what it said. */
function isUnfinished(contract: Contract, result: Result): boolean {
  return result.status === 'partial' && actionFor(contract, result) === 'continue';
}

/** Of a review. Whether it is one is for its contract to say; what it says has been checked. */
function verdictOf({ fields }: Result): Outcome['verdict'] {
  const priority = priorities.find((one) => one === fields['priority']);
  if (priority === undefined || typeof fields['action'] !== 'string') return undefined;
  return { priority, action: shown(fields['action']) };
}

/** What it says that it did, for verification; long lists are cut, and then nothing is missed that could be. */
function claimed(contract: Contract, result: Result): Outcome['claims'] {
  const { files, touched, artifacts, evidence } = claimsOf(contract, result);
  return {
    files,
    touched: touched.slice(0, mostClaims).map(({ path, action }) => ({ path, action })),
    artifacts: artifacts.slice(0, mostClaims),
    evidence: evidence.slice(0, 50).map(shown),
    findings: copiesExample(contract, result),
  };
}

/** Who only reports on a task has said everything by its status; a line says it by its verdict. */
const isTold = ({ wireFormat }: Contract): boolean => wireFormat === 'block' || wireFormat === 'json';

const mostNotes = 20;

function toldOf(contract: Contract, result: Result): Told {
  const { notes, errors, artifacts, nextSteps, fields } = result;
  const problems = errors.map(({ message }) => message);
  return {
    action: actionFor(contract, result),
    notes: [...notes, ...problems].slice(0, mostNotes).map(shown),
    artifacts: artifacts.slice(0, mostFiles).map(({ type, path }) => ({ type, path })),
    ...(nextSteps === undefined ? {} : { nextSteps: shown(nextSteps) }),
    fields: plainFields(fields),
  };
}

function plainFields(fields: Result['fields'] = {}): Told['fields'] {
  return Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => plainField(name, value)));
}

function plainField(name: string, value: unknown): [string, string | number | boolean | string[]][] {
  if (typeof value === 'string') return [[name, shown(value)]];
  if (typeof value === 'number' || typeof value === 'boolean') return [[name, value]];
  const isTexts = Array.isArray(value) && value.every((one) => typeof one === 'string');
  return isTexts ? [[name, value.slice(0, mostNotes).map(shown)]] : [];
}

export function accepted(contract: Contract, result: Result, account: Account): Outcome {
  const [first] = result.errors;
  const failure: Outcome['failure'] =
    result.status === 'completed'
      ? undefined
      : isUnfinished(contract, result)
        ? {
            class: 'unfinished',
            message: shown([result.summary, ...result.errors.map(({ message }) => message)].join('; ')),
          }
        : { class: classOf(result), message: shown(first?.message ?? result.summary) };
  const verdict = verdictOf(result);
  return {
    status: result.status,
    summary: result.summary.slice(0, limits.summaryMax),
    files: filesOf(result),
    ...accountOf(account, result.degraded),
    ...defined({ failure }),
    ...(verdict === undefined ? { claims: claimed(contract, result) } : { verdict }),
    ...(isTold(contract) ? { told: toldOf(contract, result) } : {}),
  };
}

/** The run goes by it, whatever becomes of the file. */
export function withDocument(outcome: Outcome, document: string | undefined): Outcome {
  return document === undefined ? outcome : { ...outcome, document: redact(document.slice(0, mostDocument)).text };
}

/**
 * The return could not be accepted and will not be asked for again: the work stays, the task is blocked. So does a document by
 * which the run could go, with what else was understood: a person may take it as it is.
 */
export function refused(
  reading: Extract<Reading, { ok: false }>,
  account: Account,
  why: string,
  document?: string,
): Outcome {
  const { result } = reading.salvaged;
  const message = shown(`${why}: ${reading.violations.slice(0, 3).map(violationText).join('; ')}`);
  const outcome: Outcome = {
    status: 'blocked',
    summary: result.summary?.slice(0, limits.summaryMax) ?? '',
    files: filesOf(result),
    ...accountOf(account),
    failure: { class: 'contract-violation', message },
  };
  if (document === undefined || !isUsable(document)) return outcome;
  const told: Told = { action: 'record', notes: [], artifacts: [], fields: plainFields(result.fields) };
  return withDocument({ ...outcome, told }, document);
}

/** Something other than a return ended the attempt; what had been said until then may still say something. */
export function broken(
  failure: Failure,
  status: 'partial' | 'failed',
  account: Account,
  salvage: Partial<Result> = {},
): Outcome {
  return {
    status,
    summary: salvage.summary?.slice(0, limits.summaryMax) ?? '',
    files: filesOf(salvage),
    ...accountOf(account),
    failure: { ...failure, message: shown(failure.message) },
  };
}

export function violationLines(violations: readonly Violation[]): string[] {
  return violations.slice(0, 5).map((violation) => shown(violationText(violation)));
}
