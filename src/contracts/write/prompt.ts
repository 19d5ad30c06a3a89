/**
 * Prompt: generates the end of an agent's prompt and the repair message from a contract. Requests and checks cannot drift
 * apart, because both come from the contract.
 */
import type { Contract } from '../contract.ts';
import { type Field, type Fields, type FieldType, limits } from '../field.ts';
import { type Violation, type ViolationCode, violationText } from '../finding.ts';
import { printValues } from './print.ts';
import { expectation } from '../read/read-scalar.ts';
import { pointsToReport, reportTextField } from '../report-text.ts';
import { asReturned, type ReturnWay, submitTool } from '../return-way.ts';
import { type Status, statuses, statusWord } from '../status.ts';

export interface PromptOptions {
  /** Absent when the report is the final message. */
  readonly reportPath?: string | undefined;
  readonly delegationId?: string;
  /** Defaults to `message`. */
  readonly by?: ReturnWay;
}

const statusMeanings: Readonly<Record<Status, string>> = {
  completed: 'everything asked for is finished',
  partial: 'can be resumed',
  failed: 'cannot be resumed',
  blocked: 'by something else',
};

function expected(type: FieldType, contract: Contract): string {
  if (type.type !== 'status') return expectation(type);
  return statuses.map((status) => `${statusWord(status, contract.wireFormat)} (${statusMeanings[status]})`).join(', ');
}

function presence({ presence: given, type }: Field, { wireFormat }: Contract): string {
  if (given === 'optional') return ' (may be left out)';
  if (given !== 'or-none') return '';
  if (wireFormat === 'json') return type === 'list' ? ', or an empty one' : ', or null';
  return type === 'list' ? ', or none' : ', or the word none';
}

function describeField(name: string, field: Field, contract: Contract, indent = ''): string[] {
  const where =
    field.section === undefined || contract.wireFormat !== 'report' ? '' : ` (section "## ${field.section}")`;
  const inner = field.type === 'list' ? field.of : field;
  const lines = [
    `${indent}- ${name}${where}: ${field.about} – ${expected(field, contract)}${presence(field, contract)}`,
  ];
  return inner.type === 'record' ? [...lines, ...describeFields(inner.fields, contract, `${indent}  `)] : lines;
}

function describeFields(fields: Fields, contract: Contract, indent = ''): string[] {
  return Object.entries(fields).flatMap(([name, field]) => describeField(name, field, contract, indent));
}

function lineForm({ line = [], role }: Contract): string {
  return line.map((part) => (part === 'role' ? (role ?? part) : `<${part}>`)).join('|');
}

const wholeJson = 'no text around it, no code fence.';

/** A line refers to a file, which must be written first, however the line is returned. */
function reportFirst({ wireFormat, fields }: Contract, { reportPath }: PromptOptions): string {
  const feeds = wireFormat === 'line' ? fields['path']?.feeds : undefined;
  if (reportPath === undefined || (feeds !== 'report' && feeds !== 'plan')) return '';
  return `Write ${feeds === 'plan' ? 'it' : 'the full text'} to ${reportPath} first. `;
}

function reportInside(contract: Contract): string {
  if (!pointsToReport(contract)) return '';
  return `You cannot write files: the field ${reportTextField} is your report, and Divisi writes its file. `;
}

/** One or two sentences on how to return. */
function form(contract: Contract, options: PromptOptions): string {
  const noFile = contract.wireFormat === 'report' ? ' Write no report file: these fields are your report.' : '';
  const { by = 'message' } = options;
  switch (by) {
    case 'tool-report':
      return `${reportInside(contract)}${form(contract, { ...options, by: 'tool', reportPath: undefined })}`;
    case 'tool':
      return `${reportFirst(contract, options)}Return by calling the tool ${submitTool.name} of the server ${submitTool.server} once, as your last action, with the fields below.${noFile} Only if you have no such tool, your whole answer is one JSON object of these fields: ${wholeJson}`;
    case 'schema':
      return `${reportFirst(contract, options)}Your whole answer is one JSON object of the fields below: ${wholeJson}${noFile}`;
    case 'message':
      return messageForm(contract, options);
    case 'exit-code':
      return 'Nothing you print is read: your changes are your return. Exit with code 0 when the work is done, and with another code if it is not.';
    default:
      return by satisfies never;
  }
}

function messageForm(contract: Contract, options: PromptOptions): string {
  const { reportPath } = options;
  switch (contract.wireFormat) {
    case 'block':
      return 'End your answer with one block between the lines ---OUTPUT--- and ---END---, one `key: value` per line, at most about 200 tokens. Nothing outside the block is read, so put nothing of value there.';
    case 'json':
      return `Your whole answer is one JSON object: ${wholeJson}`;
    case 'line':
      return `${reportFirst(contract, options)}Your whole answer is one line of less than ${limits.line} characters, its path aside: ${lineForm(contract)}`;
    case 'report':
      return reportPath === undefined
        ? 'Your whole answer is a markdown report: YAML frontmatter between --- lines, then the body.'
        : `Write a markdown report (YAML frontmatter between --- lines, then the body) to ${reportPath}, even if other instructions tell you not to write report files. Then answer with this one line and nothing else: Task <status>. Report: ${reportPath}`;
    default:
      return contract.wireFormat satisfies never;
  }
}

/** The fields and the rules, line by line. */
export function describeContract(contract: Contract): string[] {
  const rules = [...new Set(contract.rules.map(({ because }) => `- ${because}`))];
  const fields = ['Fields:', ...describeFields(contract.fields, contract)];
  return rules.length === 0 ? fields : [...fields, '', 'Rules that are also checked:', ...rules];
}

/** The form, the fields, the rules and one example, for the end of an agent's prompt. */
export function promptSuffix(contract: Contract, options: PromptOptions = {}): string {
  if (options.by === 'exit-code') return ['# How to return', '', form(contract, options), ''].join('\n');
  const returned = asReturned(contract, options.by ?? 'message');
  return [
    '# How to return',
    '',
    `You are asked to ${contract.purpose}. ${form(contract, options)}`,
    ...(options.delegationId === undefined ? [] : ['', `Your delegation id is ${options.delegationId}.`]),
    '',
    ...describeContract(returned),
    '',
    'Paths are relative to the project root. Never write a key, password or token. An example from another task:',
    '',
    printValues(returned, returned.example).trimEnd(),
    '',
  ].join('\n');
}

/** An answer without a return does not show that the work is done. */
function repairRequest(violations: readonly Violation[]): string {
  const areAll = (wanted: ViolationCode): boolean =>
    violations.length > 0 && violations.every(({ code }) => code === wanted);
  if (areAll('plan-fault')) {
    return 'The file you wrote was not accepted. Fix it in place, change nothing else, and return again. Its faults:';
  }
  return areAll('no-return')
    ? 'Your answer contains no return. Files you have changed are kept. If your work is done, do not repeat it; if it is not, finish it first. Then return:'
    : 'Your work is kept; only your return was not accepted. Do not repeat or change the work. Return again and correct this:';
}

/** Asks the same agent to return again, without repeating the work. */
export function repairMessage(
  contract: Contract,
  violations: readonly Violation[],
  options: PromptOptions = {},
): string {
  const returned = asReturned(contract, options.by ?? 'message');
  // A line's file is part of the work: asking for the line again does not ask for the file.
  const { reportPath: _, ...withoutFile } = options;
  return [
    repairRequest(violations),
    '',
    ...violations.map((violation) => `- ${violationText(violation)}`),
    '',
    form(contract, contract.wireFormat === 'report' ? options : withoutFile),
    '',
    'The expected form, with example content:',
    '',
    printValues(returned, returned.example).trimEnd(),
    '',
  ].join('\n');
}
