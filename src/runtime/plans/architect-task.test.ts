import { describe, expect, it } from 'vitest';
import { agentsByName, plannedAgents } from '../../agents/registry.ts';
import { architectFaults } from '../../core/workflow/architect-plan.ts';
import { planExample, planningTask, readRequest, withAnswers } from './architect-task.ts';

const agents = agentsByName();

describe('what an architect is asked', () => {
  it('has the words of the person in it, and who there is', () => {
    const { description, scope, tier, title } = planningTask('a dark\ntheme', agents);
    expect(description).toContain(
      `\n\na dark\ntheme\n\nThe format of a plan:\n\n${planExample}\n\nThese rules are checked:`,
    );
    expect(description).toContain('agent is one of: worker, ');
    expect(description).not.toMatch(/one of: [^.]*(?:architect|wave-reviewer|auditor)/);
    expect({ scope, tier, title }).toEqual({ scope: ['.divisi/runs'], tier: 'deep', title: 'Plan: a dark theme' });
  });

  it('goes to an architect of the project at its own tier', () => {
    const own = { name: 'architect', instructions: 'Plan well.', file: 'a.md', tier: 'standard' } as const;
    expect(planningTask('a dark theme', agentsByName([own])).tier).toBe('standard');
  });

  it('shows a plan that holds', () => {
    expect(architectFaults(planExample, plannedAgents(agents))).toEqual([]);
  });

  it.each(['', '  \n', 'a'.repeat(12_001)])('is refused where it is nothing, or a book', (words) => {
    expect(() => readRequest(words)).toThrow(expect.objectContaining({ code: 'USAGE' }));
  });

  it('has the answers behind the questions', () => {
    expect(withAnswers('a theme', [{ question: 'Which?', answer: 'dark' }])).toBe(
      "a theme\n\nQuestions about it, with the person's answers:\n- Which?\n  dark",
    );
  });
});
