/**
 * Turns a reading into the outcome that the run records. Summaries are agents' words: reading has redacted them, this
 * file cuts them.
 */
import { finding } from '../core/event/work-findings.ts';
import { outcomeFrom } from '../core/event/make-outcome.ts';
import { limits } from '../contracts/field.ts';
import { type Violation, violationText } from '../contracts/finding.ts';
import { redactedLine } from '../base/text.ts';
import { redact } from '../base/redact.ts';
import type { Contract } from '../contracts/contract.ts';
import type { Reading, Result } from '../contracts/result.ts';
import { actionFor } from '../contracts/registry.ts';
import { isUsable, mostDocument } from '../core/features/feature-document.ts';
import type { CheckRow, Failure, Outcome, ReportedError, StructuredResult, Verdict } from '../core/event/outcome.ts';
import { saysNothing } from '../plan/markdown/inline.ts';
import type { FailureClass } from '../gates/failure-policy.ts';
import { judgements, priorities } from '../gates/gate-steps.ts';
import { claimsOf } from '../verify/checks/claims.ts';
import { copiesExample } from '../verify/checks/copied-example.ts';

export interface ReturnAccount {
  readonly repairs: number;
  readonly report?: string;
  /** Something about the account itself that makes the result worth less. */
  readonly degraded?: 'report-not-kept';
}

const mostFiles = 200;
const mostClaims = 2000;
const mostMessage = 500;
const mostNotes = 20;
const mostRows = 200;
const mostRow = 300;

function shown(text: string): string {
  return redactedLine(text).slice(0, mostMessage);
}

function filesOf({ filesTouched = [] }: Partial<Result>): string[] {
  // Salvaged values are not validated as a whole.
  return filesTouched.slice(0, mostFiles).flatMap(({ path }: { path?: string }) => (path === undefined ? [] : [path]));
}

function accountOf(
  { degraded, ...account }: ReturnAccount,
  flags: readonly string[] = [],
): Pick<Outcome, 'repairs' | 'degraded'> {
  return { ...account, degraded: degraded === undefined ? [...flags] : [...flags, degraded] };
}

/** Classifies a failure the agent reports itself. A stronger tier does not help with a missing permission. */
function classOf(contract: Contract, result: Result): FailureClass {
  const {
    status,
    errors: [first],
  } = result;
  if (first?.type === 'permission') return 'environment';
  if (first?.type === 'timeout') return 'timeout';
  return status === 'blocked' || actionFor(contract, result) === 'halt' ? 'unclear' : 'agent-error';
}

/** True when the contract says to give the same work back together with what the agent reported. */
function isUnfinished(contract: Contract, result: Result): boolean {
  const mayContinue = result.status === 'partial' || result.status === 'completed';
  return mayContinue && actionFor(contract, result) === 'continue';
}

/** The verdict of a review. The contract decides whether the return is one, and has validated its values. */
function verdictOf({ fields }: Result): Verdict | undefined {
  const priority = priorities.find((one) => one === fields['priority']);
  if (priority === undefined || typeof fields['action'] !== 'string') return undefined;
  return { priority, action: shown(fields['action']) };
}

/** The claims that verification checks. Long lists are cut, which can only hide a false claim, never invent one. */
function claimed(contract: Contract, result: Result): Outcome['claims'] {
  const { files, touched, artifacts, evidence } = claimsOf(contract, result);
  const hasChecks = Object.values(contract.fields).some(({ is }) => is === 'checks');
  return {
    files,
    touched: touched.slice(0, mostClaims).map(({ path, action }) => ({ path, action })),
    artifacts: artifacts.slice(0, mostClaims),
    evidence: evidence.slice(0, 50).map(shown),
    ...(hasChecks ? { checks: result.checks.slice(0, mostRows).map(checkRow) } : {}),
    findings: copiesExample(contract, result),
  };
}

function checkRow({ criterion, status, evidence }: Result['checks'][number]): CheckRow {
  const cut = (text: string): string => redactedLine(text, mostRow);
  return { criterion: cut(criterion), status, ...(evidence === undefined ? {} : { evidence: cut(evidence) }) };
}

/** No key without notes. A salvaged list is not validated as a whole. */
function notesIn({ notes = [] }: Partial<Result>): Pick<Outcome, 'notes'> {
  const said = notes.filter((note) => typeof note === 'string' && !saysNothing(note));
  return said.length === 0 ? {} : { notes: said.slice(0, mostNotes).map(shown) };
}

/** Block and JSON returns carry more than a status; a report and a line do where a contract's action decides. */
function hasStructuredResult(contract: Contract, result: Result): boolean {
  if (contract.wireFormat === 'block' || contract.wireFormat === 'json') return true;
  if (result.status !== 'completed' || verdictOf(result) !== undefined) return false;
  const judgement = judgements[actionFor(contract, result)];
  return judgement !== null && judgement !== 'LOW';
}

function structuredResultOf(contract: Contract, result: Result): StructuredResult {
  const { notes, errors, artifacts, nextSteps, fields } = result;
  const problems = errors.map(({ message }) => message);
  return {
    action: actionFor(contract, result),
    notes: [...notes, ...problems].slice(0, mostNotes).map(shown),
    artifacts: artifacts.slice(0, mostFiles).map(({ type, path }) => ({ type, path })),
    ...(nextSteps === undefined ? {} : { nextSteps: shown(nextSteps) }),
    ...(errors.length === 0 ? {} : { errors: errors.slice(0, mostNotes).map(reportedError) }),
    fields: plainFields(fields),
  };
}

function reportedError({ type, message, recoverable, recommendation }: Result['errors'][number]): ReportedError {
  const advice = recommendation === undefined ? {} : { recommendation: shown(recommendation) };
  return { type: shown(type), message: shown(message), recoverable, ...advice };
}

function plainFields(fields: Result['fields'] = {}): StructuredResult['fields'] {
  return Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => plainField(name, value)));
}

function plainField(name: string, value: unknown): [string, string | number | boolean | string[]][] {
  if (typeof value === 'string') return [[name, shown(value)]];
  if (typeof value === 'number' || typeof value === 'boolean') return [[name, value]];
  const isTexts = Array.isArray(value) && value.every((one) => typeof one === 'string');
  return isTexts ? [[name, value.slice(0, mostNotes).map(shown)]] : [];
}

export function accepted(contract: Contract, result: Result, account: ReturnAccount): Outcome {
  const status = isUnfinished(contract, result) ? 'partial' : result.status;
  const verdict = status === 'completed' ? verdictOf(result) : undefined;
  return outcomeFrom({
    status,
    summary: result.summary.slice(0, limits.summaryMax),
    files: filesOf(result),
    ...accountOf(account, result.degraded),
    ...(status === 'completed' ? {} : { failure: reportedFailure(contract, result) }),
    ...(verdict === undefined ? { claims: claimed(contract, result) } : { verdict }),
    ...(hasStructuredResult(contract, result)
      ? { structuredResult: structuredResultOf(contract, result) }
      : notesIn(result)),
  });
}

/** The summary of work that came without a return. */
export const noReport = 'no report: the exit code and the diff are all there is';

/** The program exited with 0 and returned nothing: its changes are its claim. */
export function withoutReport(contract: Contract, account: ReturnAccount): Outcome {
  const hasChecks = Object.values(contract.fields).some(({ is }) => is === 'checks');
  return outcomeFrom({
    summary: noReport,
    ...accountOf(account, ['no-report']),
    claims: {
      files: 'none',
      touched: [],
      artifacts: [],
      evidence: [],
      ...(hasChecks ? { checks: [] } : {}),
      findings: [finding('no-report', { fact: noReport })],
    },
  });
}

function reportedFailure(contract: Contract, result: Result): Failure {
  const messages = result.errors.map(({ message }) => message);
  return isUnfinished(contract, result)
    ? { class: 'unfinished', message: shown([result.summary, ...messages].join('; ')) }
    : { class: classOf(contract, result), message: shown(messages[0] ?? result.summary) };
}

/** Stores the document in the outcome: the run uses that copy, whatever happens to the file. */
export function withDocument(outcome: Outcome, document: string | undefined): Outcome {
  return document === undefined ? outcome : { ...outcome, document: redact(document.slice(0, mostDocument)).text };
}

/**
 * The return was not accepted and will not be repaired again: the work is kept and the task is blocked. A usable
 * document is kept too, so that a person can accept it as it is.
 */
export function refused(
  reading: Extract<Reading, { ok: false }>,
  account: ReturnAccount,
  why: string,
  document?: string,
): Outcome {
  const { result } = reading.salvaged;
  const message = shown(`${why}: ${reading.violations.slice(0, 3).map(violationText).join('; ')}`);
  const outcome: Outcome = {
    status: 'blocked',
    summary: result.summary?.slice(0, limits.summaryMax) ?? '',
    files: filesOf(result),
    ...notesIn(result),
    ...accountOf(account),
    failure: { class: 'contract-violation', message },
  };
  if (document === undefined || !isUsable(document)) return outcome;
  const structuredResult: StructuredResult = {
    action: 'record',
    notes: [],
    artifacts: [],
    fields: plainFields(result.fields),
  };
  return withDocument({ ...outcome, structuredResult }, document);
}

/** The attempt ended without a return. Output collected until then may still be useful. */
export function broken(
  failure: Failure,
  status: 'partial' | 'failed',
  account: ReturnAccount,
  salvage: Partial<Result> = {},
): Outcome {
  return {
    status,
    summary: salvage.summary?.slice(0, limits.summaryMax) ?? '',
    files: filesOf(salvage),
    ...notesIn(salvage),
    ...accountOf(account),
    failure: { ...failure, message: shown(failure.message) },
  };
}

export function violationLines(violations: readonly Violation[]): string[] {
  return violations.slice(0, 5).map((violation) => shown(violationText(violation)));
}
