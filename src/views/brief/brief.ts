/**
 * Result brief: the part of a result that enters a model's context.
 *
 * The budget holds by construction: pieces are added trouble first, and a piece that does not fit is cut or dropped. Clean
 * passes collapse to a count; the rest is a pointer. Agents' words are escaped and placed where only data can be.
 */
import type { Action } from '../../contracts/contract.ts';
import { divisiError } from '../../base/error.ts';
import { flatten } from '../../base/text.ts';
import type { Result } from '../../contracts/result.ts';
import { isResumable } from '../../contracts/status.ts';
import { escapeXml, fit } from '../text/escape.ts';

export interface BriefOptions {
  /** In characters; the brief is never longer. */
  readonly budget: number;
  /** The orchestrator's name for the task; the agent's is not trusted. */
  readonly task?: string;
  readonly delegationId?: string;
  /** The orchestrator's next action, from the contract. */
  readonly action?: Action;
  /** Path of the full report. */
  readonly reportPath?: string;
  /** The command that shows more. */
  readonly more?: string;
}

/** The status alone needs this much. */
export const minimumBudget = 64;

/** The default budget for one task. */
export const taskBudget = 600;

interface Piece {
  readonly tag: string;
  readonly text: string;
}

/** A shorter piece is dropped. */
const worthShowing = 12;

function troubles(result: Result): Piece[] {
  const errors = result.errors.map(({ type, message, recommendation }) => ({
    tag: 'error',
    text: `${type}: ${message}${recommendation === undefined ? '' : ` → ${recommendation}`}`,
  }));
  const checks = result.checks.filter(({ status }) => status !== 'pass');
  const failed = checks.map(({ criterion, status, evidence }) => ({
    tag: 'check',
    text: `${status}: ${criterion}${evidence === undefined ? '' : ` (${evidence})`}`,
  }));
  return [...errors, ...failed, ...result.degraded.map((text) => ({ tag: 'degraded', text }))];
}

function pieces(result: Result): Piece[] {
  const next = result.nextSteps === undefined ? [] : [{ tag: 'next', text: result.nextSteps }];
  const notes = result.notes.map((text) => ({ tag: 'note', text }));
  const all = [...troubles(result), { tag: 'summary', text: result.summary }, ...next, ...notes];
  return all.map(({ tag, text }) => ({ tag, text: flatten(text) })).filter(({ text }) => text !== '');
}

/** Counts instead of lists: `checks 3/3`, `2 files`. */
function counts(result: Result): [string, string][] {
  const passed = result.checks.filter(({ status }) => status === 'pass').length;
  const all: [string, number, string][] = [
    ['checks', result.checks.length, `${passed}/${result.checks.length}`],
    ['files', result.filesTouched.length, String(result.filesTouched.length)],
    ['artifacts', result.artifacts.length, String(result.artifacts.length)],
    ['deviations', result.deviations.length, String(result.deviations.length)],
  ];
  return all.filter(([, count]) => count > 0).map(([name, , text]) => [name, text]);
}

function attributes(result: Result, options: BriefOptions): [string, string][] {
  const reportPath = options.reportPath ?? result.artifacts.find(({ type }) => type === 'report')?.path;
  const all: [string, string | undefined][] = [
    ['task', options.task ?? result.metadata.taskId],
    ['action', options.action],
    ['delegation', options.delegationId ?? result.metadata.delegationId],
    ['resumable', isResumable(result.status) ? 'true' : undefined],
    ...counts(result),
    ['report', reportPath],
    ['more', options.more],
  ];
  return all
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .map(([name, text]) => [name, flatten(text)]);
}

function checkBudget(budget: number): void {
  if (budget >= minimumBudget) return;
  throw divisiError('BRIEF_BUDGET_TOO_SMALL', {
    message: `a budget of ${budget} characters is too small for a brief`,
    expected: `at least ${minimumBudget} characters`,
    got: String(budget),
    next: 'Raise the budget.',
  });
}

/** A cut name or path would be wrong, so each part is whole or absent. */
function whole(parts: readonly string[], room: number): string {
  let text = '';
  for (const part of parts) if (text.length + part.length <= room) text += part;
  return text;
}

/** Keeps half of the room for the body, so attributes cannot crowd out the content. */
export function briefXml(result: Result, options: BriefOptions): string {
  checkBudget(options.budget);
  const frame = `<subagent-result status="${result.status}" content="data"></subagent-result>`;
  const inner = options.budget - frame.length;
  if (inner < 0) return `<subagent-result status="${result.status}"/>`;
  const rendered = attributes(result, options).map(([name, text]) => ` ${name}="${escapeXml(text)}"`);
  const facts = whole(rendered, Math.floor(inner / 2));
  const body = elements(result, inner - facts.length);
  return `<subagent-result status="${result.status}"${facts} content="data">${body}</subagent-result>`;
}

function elements(result: Result, room: number): string {
  let body = '';
  for (const { tag, text } of pieces(result)) {
    const left = room - body.length - `<${tag}></${tag}>`.length;
    if (left >= Math.min(worthShowing, text.length)) body += `<${tag}>${fit(text, left, escapeXml)}</${tag}>`;
  }
  return body;
}

/** Agents' text is in double quotes and contains none, so it cannot pose as a fact. */
function quote(text: string): string {
  return text.replaceAll('"', "'");
}

/** The same on one line, for lists with a row per task. */
export function briefLine(result: Result, options: BriefOptions): string {
  checkBudget(options.budget);
  const named = options.task === undefined ? '' : `${fit(flatten(options.task), 30, (text) => text)} `;
  const head = `${named}${result.status}${options.action === undefined ? '' : `, ${options.action}`}`;
  const facts = counts(result).map(([name, text]) => ` · ${name} ${text}`);
  const more = options.more === undefined ? '' : ` · ${flatten(options.more)}`;
  let line = head + whole([...facts, more], Math.floor((options.budget - head.length) / 2));
  for (const { tag, text } of pieces(result)) {
    const left = options.budget - line.length - ` · ${tag} ""`.length;
    if (left >= Math.min(worthShowing, text.length)) line += ` · ${tag} "${fit(text, left, quote)}"`;
  }
  return line;
}
