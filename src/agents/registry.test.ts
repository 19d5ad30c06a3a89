import { describe, expect, it } from 'vitest';
import { divisiError } from '../base/error.ts';
import { builtInAgents } from './built-in-agents.ts';
import { agentDrivers, agentsByName, checkAgents, findAgent } from './registry.ts';

const agents = agentsByName();

describe('findAgent', () => {
  it.each(builtInAgents)('$name, also of a plugin', (agent) => {
    expect(findAgent(agents, agent.name)).toBe(agent);
    expect(findAgent(agents, `some-toolkit:${agent.name}`)).toBe(agent);
    expect(findAgent(agents, `a:b:${agent.name}`)).toBe(agent);
  });

  it.each([
    ['migration-writer', 'migration-writer'],
    ['db:migration-writer', 'migration-writer'],
  ])('%s, without a description, is a worker under its own name', (name, plain) => {
    const agent = findAgent(agents, name);
    expect(agent).toMatchObject({ name: plain, contract: 'worker-report' });
    expect(agent.instructions.startsWith(`You are ${plain}. `)).toBe(true);
  });

  it('does not find names that every object has', () => {
    expect(findAgent(agents, 'constructor')).toMatchObject({ name: 'constructor', contract: 'worker-report' });
  });
});

const mine = (more: object = {}) => ({ name: 'mine', instructions: 'Do it.', file: '.divisi/agents/mine.md', ...more });

describe('agentsByName', () => {
  it('gives an agent without a contract that of a worker', () => {
    expect(findAgent(agentsByName([mine()]), 'tools:mine')).toEqual({ ...mine(), contract: 'worker-report' });
  });

  it('lets the last of a name win, and names the agent it replaces', () => {
    const [first, last] = [
      mine({ name: 'architect', file: '.claude/agents/architect.md' }),
      mine({ name: 'architect', driver: 'codex' }),
    ];
    expect(findAgent(agentsByName([first]), 'architect')).toEqual({
      ...first,
      contract: 'architect',
      replaces: 'built-in',
    });
    const both = agentsByName([first, last]);
    expect(findAgent(both, 'architect')).toEqual({ ...last, contract: 'architect', replaces: first.file });
    expect(agentDrivers(both)).toEqual(new Map([['architect', 'codex']]));
  });

  it('uses the contract that a file names', () => {
    const agent = mine({ name: 'code-reviewer', contract: 'worker-report' });
    expect(findAgent(agentsByName([agent]), 'code-reviewer').contract).toBe('worker-report');
  });
});

describe('checkAgents', () => {
  const fault = divisiError('AGENT_FILE_INVALID', { message: 'broken', next: 'fix it' });
  const some = agentsByName([], new Map([['broken', fault]]));

  it('throws only for the agents that are named', () => {
    expect(() => checkAgents(some, ['worker', 'nobody'])).not.toThrow();
    expect(() => checkAgents(some, ['worker', 'kit:broken'])).toThrow(fault);
  });
});
