import { describe, expect, it } from 'vitest';
import { conductorRefusal, editRefusal } from './permit.ts';

const plan = 'plans/big.md';

describe('the conductor', () => {
  it.each([
    ['Agent', undefined],
    ['Task', undefined],
    ['TodoWrite', undefined],
    ['AskUserQuestion', undefined],
    ['ToolSearch', undefined],
    ['mcp__plugin_divisi_divisi__status', undefined],
    ['mcp__divisi__run', undefined],
    ['Read', plan],
    ['Edit', plan],
    ['Read', '.divisi/plans/a-inprogress.md'],
    ['Write', '.divisi/plans/a-inprogress.md'],
    ['Read', '.divisi/config.yaml'],
    ['Read', '.divisi/MASTER.md'],
  ])('may use %s on %s', (tool, path) => {
    expect(conductorRefusal({ tool, path }, plan)).toBeUndefined();
  });

  it.each([
    ['Read', 'src/a.ts'],
    ['Read', undefined],
    ['Grep', undefined],
    ['Glob', 'src'],
    ['Glob', '.divisi'],
    ['Grep', '.divisi/plans'],
    ['Bash', undefined],
    ['Write', 'src/a.ts'],
    ['Write', '.divisi/config.yaml'],
    ['Edit', '.divisi/runs/run_1/reports/wave-1/task-1.1.md'],
    ['Read', '.divisiother/x'],
    ['TaskOutput', undefined],
    ['BashOutput', undefined],
    ['Monitor', undefined],
    ['Workflow', undefined],
    ['WebFetch', undefined],
    ['SendMessage', undefined],
    ['mcp__github__search', undefined],
    ['mcp__divisifrutti__run', undefined],
  ])('may not use %s on %s', (tool, path) => {
    expect(conductorRefusal({ tool, path }, plan)).toContain(tool);
  });

  it('is sent to the tool that gives a section of a report', () => {
    const path = '.divisi/runs/run_1/reports/wave-1/task-1.1.md';
    expect(conductorRefusal({ tool: 'Read', path }, plan)).toContain('`report`');
  });
});

describe('an agent', () => {
  const report = '.divisi/runs/run_1/reports/wave-1/task-1.1.md';
  const bounds = {
    task: '1.1',
    scope: ['src/a', 'b.ts'],
    forbidden: ['src/a/keep'],
    own: [report],
    planFile: plan,
    taken: [{ task: '1.2', scope: ['c'] }],
  };

  it.each(['src/a', 'src/a/x.ts', 'b.ts', report])('may write %s', (path) => {
    expect(editRefusal(path, bounds)).toBeUndefined();
  });

  it.each([
    [undefined, 'outside of the project'],
    ['src/ab.ts', 'may only change: src/a, b.ts'],
    ['src/a/keep/x', 'must not change'],
    [plan, 'belongs to Divisi'],
    ['.divisi/plans/x.md', 'belongs to Divisi'],
    ['.divisi/runs/run_1/reports/wave-1/task-1.2.md', 'belongs to Divisi'],
    ['.divisi/config.yaml', 'belongs to Divisi'],
  ])('may not write %s', (path, why) => {
    expect(editRefusal(path, bounds)).toContain(why);
  });

  it('without a scope may write anywhere in the project but there', () => {
    expect(editRefusal('anything', { ...bounds, scope: [] })).toBeUndefined();
    expect(editRefusal('c/x.ts', { ...bounds, scope: [] })).toContain('task 1.2');
    expect(editRefusal('.divisi/config.yaml', { ...bounds, scope: [] })).toBeDefined();
  });
});
