import { describe, expect, it } from 'vitest';
import { builtInContracts } from '../contracts/registry.ts';
import { builtInAgents } from './built-in-agents.ts';

describe('built-in agents', () => {
  it.each(builtInAgents)('$name returns by a contract that exists: $contract', ({ contract, instructions }) => {
    expect(builtInContracts.map(({ name }) => name)).toContain(contract);
    expect(instructions.length).toBeGreaterThan(40);
  });

  it('have unique names', () => {
    const names = builtInAgents.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each([
    'researcher',
    'lean-research-agent',
    'planner',
    'reviser',
    'implementer',
    'task-executor',
    'lean-implementation-agent',
    'reviewer',
  ])(
    '%s, behind a task command, returns status and artifacts, and its instructions say what proves its work',
    (name) => {
      const agent = builtInAgents.find((one) => one.name === name);
      expect(agent?.contract).toBe('structured-return');
      expect(agent?.instructions).toMatch(/path the task names|in the summary file what you ran/);
      expect(agent?.instructions).toContain('blocked');
      expect(agent?.instructions.length).toBeLessThan(3000);
    },
  );

  it.each(['planner', 'reviser', 'todo-doc-generator'])('%s gets the form of a phase', (name) => {
    expect(builtInAgents.find((one) => one.name === name)?.instructions).toContain('`## Phase 1: Title`');
  });

  it('leave no contract without an agent', () => {
    const used = new Set(builtInAgents.map(({ contract }) => contract));
    expect(builtInContracts.filter(({ name }) => !used.has(name))).toEqual([]);
  });
});
