import { describe, expect, it } from 'vitest';
import { builtInContracts } from '../contracts/registry.ts';
import { builtInAgents, findAgent } from './built-in-agents.ts';

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

describe('findAgent', () => {
  it.each(builtInAgents)('$name, also of a plugin', (agent) => {
    expect(findAgent(agent.name)).toBe(agent);
    expect(findAgent(`some-toolkit:${agent.name}`)).toBe(agent);
    expect(findAgent(`a:b:${agent.name}`)).toBe(agent);
  });

  it.each([
    ['migration-writer', 'migration-writer'],
    ['db:migration-writer', 'migration-writer'],
  ])('%s, which nobody described, is a worker under its own name', (name, plain) => {
    const agent = findAgent(name);
    expect(agent).toMatchObject({ name: plain, contract: 'worker-report' });
    expect(agent.instructions.startsWith(`You are ${plain}. `)).toBe(true);
  });

  it('knows nothing by the names every object has', () => {
    expect(findAgent('constructor')).toMatchObject({ name: 'constructor', contract: 'worker-report' });
  });
});
