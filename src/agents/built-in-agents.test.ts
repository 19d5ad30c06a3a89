import { describe, expect, it } from 'vitest';
import { builtInContracts } from '../contracts/registry.ts';
import { builtInAgents } from './built-in-agents.ts';

describe('the agents Tutti brings along', () => {
  it.each(builtInAgents)('$name returns by a contract that exists: $contract', ({ contract, instructions }) => {
    expect(builtInContracts.map(({ name }) => name)).toContain(contract);
    expect(instructions.length).toBeGreaterThan(40);
  });

  it('have each a name of their own', () => {
    const names = builtInAgents.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('leave no contract without an agent', () => {
    const used = new Set(builtInAgents.map(({ contract }) => contract));
    expect(builtInContracts.filter(({ name }) => !used.has(name))).toEqual([]);
  });
});
