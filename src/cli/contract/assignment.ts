/** `divisi assignment check` and `prompt`: check an assignment, and print the prompt its agent gets. */
import { checkAgents, findAgent } from '../../agents/registry.ts';
import { flatten } from '../../base/text.ts';
import { findContract } from '../../contracts/registry.ts';
import type { ReturnWay } from '../../contracts/return-way.ts';
import { dispatchPrompt } from '../../delegation/dispatch-prompt.ts';
import { checkAssignment, type AssignmentReading } from '../../delegation/assignment.ts';
import { loadAgents } from '../../workspace/own-agents.ts';
import { loadContracts } from '../../workspace/own-contracts.ts';
import { readInput } from '../input.ts';
import { type Answer, exitCodes } from '../output.ts';

async function readAssignment(file: string): Promise<AssignmentReading> {
  const text = await readInput(file);
  try {
    return checkAssignment(JSON.parse(text));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { ok: false, faults: [{ path: '', expected: `one JSON object (${error.message})` }] };
  }
}

function invalid({ faults }: Extract<AssignmentReading, { ok: false }>): Answer {
  const lines = faults.map(
    ({ path, expected }) => `  ${flatten(`${path === '' ? 'the assignment' : path}: ${expected}`)}`,
  );
  return { code: exitCodes.violations, json: { ok: false, faults }, text: ['not valid:', ...lines].join('\n') };
}

export async function assignmentCheck(file: string): Promise<Answer> {
  const reading = await readAssignment(file);
  if (!reading.ok) return invalid(reading);
  const { assignment } = reading;
  const text = `valid: task ${flatten(assignment.task.id)} for ${flatten(assignment.agent)} under ${flatten(assignment.contract)}`;
  return { code: exitCodes.valid, json: { ok: true, assignment }, text };
}

export async function assignmentPrompt(project: string, file: string, by: ReturnWay = 'message'): Promise<Answer> {
  const reading = await readAssignment(file);
  if (!reading.ok) return invalid(reading);
  const { assignment } = reading;
  const contracts = await loadContracts(project);
  const contract = findContract(contracts, assignment.contract);
  const agents = await loadAgents(project, contracts);
  checkAgents(agents, [assignment.agent]);
  const prompt = dispatchPrompt({
    assignment,
    instructions: findAgent(agents, assignment.agent).instructions,
    contract,
    by,
  });
  return {
    code: exitCodes.valid,
    json: { ok: true, agent: assignment.agent, contract: contract.name, prompt },
    text: prompt,
  };
}
