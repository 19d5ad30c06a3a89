import { describe, expect, it } from 'vitest';
import { checkDelegation } from './check-delegation.ts';
import { classFor, classOf, deadlines, delegationClasses, secondsFor } from './deadline.ts';
import { commandPath } from './path.ts';

describe('deadlines by class', () => {
  it.each([
    ['research', 3600, 7200],
    ['planning', 1800, 3600],
    ['revising', 1800, 3600],
    ['implementing', 7200, 14_400],
    ['fixing', 7200, 14_400],
    ['reviewing', 1800, 3600],
    ['simple', 300, 900],
  ] as const)('%s: %d seconds, at most %d', (kind, usual, most) => {
    expect(deadlines[kind]).toEqual({ default: usual, most });
    expect(secondsFor(kind)).toBe(usual);
    expect(secondsFor(kind, most)).toBe(most);
    expect(secondsFor(kind, 1)).toBe(1);
  });

  it.each(delegationClasses)('refuses more than the maximum of %s instead of cutting it', (kind) => {
    expect(() => secondsFor(kind, deadlines[kind].most + 1)).toThrow(
      expect.objectContaining({ code: 'DELEGATION_REFUSED' }),
    );
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses %d seconds', (seconds) => {
    expect(() => secondsFor('simple', seconds)).toThrow(/not allowed for simple/);
  });

  it('knows the class of an agent by its name, with or without the prefix of a plugin', () => {
    expect(classOf('worker')).toBe('implementing');
    expect(classOf('divisi:researcher')).toBe('research');
    expect(classOf('wave-reviewer')).toBe('reviewing');
    expect(classOf('lean-research-agent')).toBe('research');
    expect(classOf('lean-implementation-agent')).toBe('implementing');
    expect(classOf('task-executor')).toBe('implementing');
    expect(classOf('reviser')).toBe('revising');
    expect(classOf('reviewer')).toBe('planning');
    expect(classOf('newcomer')).toBeUndefined();
    expect(classOf('constructor')).toBeUndefined();
  });

  it.each([
    ['newcomer', {}, 'implementing'],
    ['newcomer', { does: 'review' }, 'reviewing'],
    ['newcomer', { does: 'fix' }, 'fixing'],
    ['newcomer', { command: 'research' }, 'research'],
    ['worker', { command: 'plan' }, 'planning'],
    ['worker', { command: 'constructor' }, 'implementing'],
    ['kit:formatter', { command: 'implement', classes: { formatter: 'simple' } }, 'simple'],
    ['git-workflow-manager', {}, 'simple'],
  ] as const)('%s with %j is of the class %s', (agent, work, kind) => {
    expect(classFor(agent, work)).toBe(kind);
  });
});

describe('checkDelegation', () => {
  const three = ['orchestrator', 'implement', 'task-executor', 'implementer', 'git-workflow-manager'];

  it('allows three agents, and takes the class from the last', () => {
    expect(checkDelegation(three)).toEqual({ class: 'simple', seconds: 300 });
    expect(checkDelegation(['orchestrator', 'run', 'worker'], { implementing: 60 })).toEqual({
      class: 'implementing',
      seconds: 60,
    });
  });

  it('refuses a fourth with the whole path', () => {
    expect(() => checkDelegation([...three, 'helper'])).toThrow(
      'orchestrator → implement → task-executor → implementer → git-workflow-manager → helper',
    );
  });

  it('refuses a cycle with the whole path', () => {
    expect(() => checkDelegation(['orchestrator', 'implement', 'task-executor', 'task-executor'])).toThrow(
      /task-executor appears twice, a cycle: orchestrator → implement → task-executor → task-executor/,
    );
  });
});

describe('the path of a task command', () => {
  it.each([
    ['research', 'researcher', undefined, ['orchestrator', 'research', 'researcher']],
    ['plan', 'planner', ['orchestrator', 'run', 'worker'], ['orchestrator', 'run', 'worker', 'planner']],
    ['plan', 'planner', ['orchestrator', 'implement', 'a', 'b'], ['orchestrator', 'implement', 'a', 'b', 'planner']],
  ])('%s by %s below %j', (command, agent, above, path) => {
    expect(commandPath(command, agent, above)).toEqual(path);
    expect(() => checkDelegation(path)).not.toThrow();
  });

  it.each([
    ['a cycle', ['orchestrator', 'research', 'kit:researcher'], 'researcher appears twice, a cycle'],
    ['a fourth agent', ['orchestrator', 'implement', 'a', 'b', 'c'], 'depth 4 is more than 3'],
    ['an empty path above', [], 'no agent in the path'],
  ])('refuses %s', (_, above, message) => {
    expect(() => checkDelegation(commandPath('research', 'researcher', above))).toThrow(message);
  });
});
