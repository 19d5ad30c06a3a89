import { describe, expect, it } from 'vitest';
import { repositoryFile } from '../../tests/support/repository.ts';
import { sampleAssignment } from '../../tests/support/samples.ts';
import { builtInContracts, contractsByName, findContract } from '../contracts/registry.ts';
import { dispatchPrompt } from './dispatch-prompt.ts';
import { parseAssignment } from './assignment.ts';

const instructions = 'You carry out one task of a plan.';
const contracts = contractsByName();

function promptOf(value: unknown, contract = 'worker-report'): string {
  return dispatchPrompt({
    assignment: parseAssignment(value),
    instructions,
    contract: findContract(contracts, contract),
  });
}

/** The same value with the keys of every record the other way round. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, item]) => [key, reversed(item)]),
  );
}

describe('the dispatch prompt', () => {
  it('matches its fixture byte for byte', () => {
    expect(promptOf(sampleAssignment())).toBe(repositoryFile('tests/pins/fixtures/dispatch-prompt.md'));
  });

  it('does not depend on the order of keys', () => {
    expect(JSON.stringify(reversed(sampleAssignment()))).not.toBe(JSON.stringify(sampleAssignment()));
    expect(promptOf(reversed(sampleAssignment()))).toBe(promptOf(sampleAssignment()));
  });

  it('does not depend on how a default or a path is spelled', () => {
    const bare = { id: '1', description: 'd', report_path: 'r.md' };
    const spelled = { ...bare, report_path: './/r.md', acceptance: [], scope: [] };
    expect(promptOf(sampleAssignment({ task: bare }))).toBe(promptOf(sampleAssignment({ task: spelled })));
  });

  it('names forbidden paths', () => {
    const task = { id: '1', description: 'd', scope: ['src'], forbidden: ['./src/gen/'], report_path: 'r.md' };
    expect(promptOf(sampleAssignment({ task }))).toContain(
      'Change nothing outside of:\n- src\n\nNever change:\n- src/gen\n',
    );
  });

  it('omits absent parts of the assignment', () => {
    const { task_context: _, ...rest } = sampleAssignment();
    const prompt = promptOf({ ...rest, task: { id: '1', description: 'Do it.', report_path: 'r.md' } });
    const section = prompt.slice(prompt.indexOf('# Your task'), prompt.indexOf('# How to return'));
    expect(section).toBe(
      [
        '# Your task: 1',
        '',
        'Do it.',
        '',
        'Where you are:',
        '- run run_01JB2Q8Y6M, delegation sess_1767225600_k3x9q1, depth 1',
        '- path orchestrator → implement → worker',
        '- you have 900 seconds',
        '',
        '',
      ].join('\n'),
    );
  });

  it.each(builtInContracts.map(({ name }) => name))('says how to return under %s', (contract) => {
    const prompt = promptOf(sampleAssignment(), contract);
    expect(prompt.startsWith(`${instructions}\n\n# Your task: 2.3\n`)).toBe(true);
    expect(prompt).toContain('# How to return');
    expect(prompt).toContain('Your delegation id is sess_1767225600_k3x9q1.');
    for (const field of Object.keys(findContract(contracts, contract).fields)) expect(prompt).toContain(`- ${field}`);
  });

  it('changes with every part of the assignment', () => {
    const base = sampleAssignment();
    const changes: Record<string, unknown>[] = [
      { run_id: 'other' },
      { session_id: 'sess_1767225600_000000' },
      { delegation_path: ['orchestrator', 'implement', 'other', 'worker'], delegation_depth: 2 },
      { timeout: 901 },
      { task_context: { task_number: 8, description: 'Move the cart to cents', language: 'typescript' } },
      ...['id', 'description', 'report_path', 'worklog_path'].map((key) => ({
        task: { ...(base['task'] as object), [key]: 'other' },
      })),
      ...['acceptance', 'scope'].map((key) => ({ task: { ...(base['task'] as object), [key]: ['other'] } })),
    ];
    const prompts = [base, ...changes.map((change) => ({ ...base, ...change }))].map((assignment) =>
      promptOf(assignment),
    );
    expect(new Set(prompts).size).toBe(changes.length + 1);
  });
});
