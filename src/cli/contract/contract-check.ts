/** `divisi contract check` and `repair`: check a return, and print the message that asks for a new one. */
import type { Action } from '../../contracts/contract.ts';
import { violationText } from '../../contracts/finding.ts';
import { flatten } from '../../base/text.ts';
import { actionFor } from '../../contracts/registry.ts';
import type { Reading, Result } from '../../contracts/result.ts';
import { repairMessage } from '../../contracts/write/prompt.ts';
import { estimateTokens } from '../../base/tokens.ts';
import { briefXml, taskBudget } from '../../views/brief/brief.ts';
import { type Answer, exitCodes } from '../output.ts';
import { type ReadReturn, readReturnFile, type ReturnOptions } from './read-return.ts';

interface Sizes {
  readonly return: { readonly characters: number; readonly tokens: number };
  readonly brief: { readonly characters: number; readonly tokens: number };
  /** Every model counts in its own way. */
  readonly tokensAre: 'an estimate';
}

async function sizes(text: string, brief: string): Promise<Sizes> {
  const measure = async (what: string): Promise<Sizes['brief']> => ({
    characters: what.length,
    tokens: (await estimateTokens(what)).tokens,
  });
  return { return: await measure(text), brief: await measure(brief), tokensAre: 'an estimate' };
}

function deviationLines({ deviations, degraded }: Result): string[] {
  const lines = deviations.map(
    ({ code, path, detail }) => `  deviation ${code}${path === '' ? '' : ` at ${path}`}: ${detail}`,
  );
  return [...lines, ...degraded.map((flag) => `  degraded: ${flag}`)].map((line) => `  ${flatten(line)}`);
}

async function valid({ contract, text }: ReadReturn, result: Result): Promise<Answer> {
  const action: Action = actionFor(contract, result);
  const brief = briefXml(result, { budget: taskBudget, action });
  const size = await sizes(text, brief);
  const lines = [
    `valid: ${contract.name} → ${result.status}, next: ${action}`,
    `  ${flatten(result.summary)}`,
    ...deviationLines(result),
    `  return ${size.return.characters} characters (about ${size.return.tokens} tokens) → brief ${size.brief.characters} (about ${size.brief.tokens})`,
    '',
    brief,
  ];
  const json = { ok: true, contract: contract.name, action, result, brief, sizes: size };
  return { code: exitCodes.valid, json, text: lines.join('\n') };
}

function invalid({ contract }: ReadReturn, { violations, salvaged }: Extract<Reading, { ok: false }>): Answer {
  const lines = violations.map((violation) => `  ${flatten(violationText(violation))}`);
  const read = Object.keys(salvaged.result.fields ?? {});
  const text = [
    `not valid: ${violations.length} ${violations.length === 1 ? 'violation' : 'violations'} of ${contract.name}`,
    ...lines,
    ...(salvaged.result.status === undefined ? [] : [`still readable: status ${salvaged.result.status}`]),
    ...(read.length === 0 ? [] : [`still readable: ${flatten(read.join(', '))}`]),
    `\`divisi contract repair ${contract.name}\` writes the message that asks for a new return.`,
  ];
  return {
    code: exitCodes.violations,
    json: { ok: false, contract: contract.name, violations, salvaged },
    text: text.join('\n'),
  };
}

export async function contractCheck(
  project: string,
  name: string,
  file: string,
  options: ReturnOptions,
): Promise<Answer> {
  const answer = await readReturnFile(project, name, file, options);
  return answer.reading.ok ? valid(answer, answer.reading.result) : invalid(answer, answer.reading);
}

export async function contractRepair(
  project: string,
  name: string,
  file: string,
  options: ReturnOptions,
): Promise<Answer> {
  const { contract, reading } = await readReturnFile(project, name, file, options);
  if (reading.ok) {
    return {
      code: exitCodes.valid,
      json: { ok: true, contract: contract.name },
      text: 'valid: there is nothing to repair',
    };
  }
  const message = repairMessage(contract, reading.violations);
  const json = { ok: false, contract: contract.name, violations: reading.violations, message };
  return { code: exitCodes.violations, json, text: message };
}
