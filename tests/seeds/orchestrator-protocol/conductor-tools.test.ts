/** What a conversation that conducts a run may do: delegate and read the plan, nothing else. */
import { describe, expect, it } from 'vitest';
import { conductorRefusal } from '../../../src/conversation/permit.ts';

const plan = '.swarm/fix-ts.md';
const isAllowed = (tool: string, path?: string): boolean => conductorRefusal({ tool, path }, plan) === undefined;

describe('CRITICAL: Context Isolation & Zero-Polling', () => {
  it.each([
    ['Task', undefined],
    ['Read', plan],
    ['Write', plan],
    ['Edit', plan],
    ['TodoWrite', undefined],
    ['AskUserQuestion', undefined],
  ])('allows %s %s', (tool, path) => {
    expect(isAllowed(tool, path)).toBe(true);
  });

  it.each([
    ['Read', 'src/index.ts'],
    ['Grep', undefined],
    ['Bash', undefined],
    // Reports enter no context by themselves: the tool `report` gives one section at a time.
    ['Read', '.divisi/runs/run_1/reports/wave-1/task-1.1.md'],
    ['Read', '.swarm/reports/fix-ts/wave-1/task-1.1.md'],
    // The tool `run` without input lists the plans; a search would read everything below the folder.
    ['Glob', '.swarm'],
    // The brief of each agent arrives when it ends: there is nothing to poll and nothing to fetch.
    ['AgentOutputTool', undefined],
    ['TaskOutput', undefined],
  ])('refuses %s %s', (tool, path) => {
    expect(isAllowed(tool, path)).toBe(false);
  });
});

describe('TaskOutput Reference (Zero-Polling)', () => {
  // The document waits with `block: true` for 30,000 to 600,000 ms: any wait puts the whole output into the context. Hooks bring the brief.
  it.each(['TaskOutput', 'AgentOutputTool', 'BashOutput'])('%s is refused with what to do instead', (tool) => {
    expect(conductorRefusal({ tool, path: undefined }, plan)).toContain(tool);
  });
});
