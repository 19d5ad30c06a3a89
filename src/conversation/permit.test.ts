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
    ['mcp__plugin_tutti_tutti__status', undefined],
    ['mcp__tutti__run', undefined],
    ['Read', plan],
    ['Edit', plan],
    ['Read', '.tutti/plans/a-inprogress.md'],
    ['Write', '.tutti/plans/a-inprogress.md'],
    ['Read', '.tutti/config.yaml'],
    ['Read', '.tutti/MASTER.md'],
  ])('may use %s on %s', (tool, path) => {
    expect(conductorRefusal({ tool, path }, plan)).toBeUndefined();
  });

  it.each([
    ['Read', 'src/a.ts'],
    ['Read', undefined],
    ['Grep', undefined],
    ['Glob', 'src'],
    ['Glob', '.tutti'],
    ['Grep', '.tutti/plans'],
    ['Bash', undefined],
    ['Write', 'src/a.ts'],
    ['Write', '.tutti/config.yaml'],
    ['Edit', '.tutti/runs/run_1/reports/wave-1/task-1.1.md'],
    ['Read', '.tutti/ledger.db'],
    ['Read', '.tutti/ledger.db-wal'],
    ['Read', '.tutti/worktrees/a/src/a.ts'],
    ['Read', '.tuttiother/x'],
    ['TaskOutput', undefined],
    ['BashOutput', undefined],
    ['Monitor', undefined],
    ['Workflow', undefined],
    ['WebFetch', undefined],
    ['SendMessage', undefined],
    ['mcp__github__search', undefined],
    ['mcp__tuttifrutti__run', undefined],
  ])('may not use %s on %s', (tool, path) => {
    expect(conductorRefusal({ tool, path }, plan)).toContain(tool);
  });

  it('is sent to the tool that gives a section of a report', () => {
    const path = '.tutti/runs/run_1/reports/wave-1/task-1.1.md';
    expect(conductorRefusal({ tool: 'Read', path }, plan)).toContain('`report`');
  });
});

describe('an agent', () => {
  const report = '.tutti/runs/run_1/reports/wave-1/task-1.1.md';
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
    ['src/a/keep/x', 'must leave'],
    [plan, "Tutti's own"],
    ['.tutti/plans/x.md', "Tutti's own"],
    ['.tutti/runs/run_1/reports/wave-1/task-1.2.md', "Tutti's own"],
    ['.tutti/ledger.db', "Tutti's own"],
  ])('may not write %s', (path, why) => {
    expect(editRefusal(path, bounds)).toContain(why);
  });

  it('without a scope may write anywhere in the project but there', () => {
    expect(editRefusal('anything', { ...bounds, scope: [] })).toBeUndefined();
    expect(editRefusal('c/x.ts', { ...bounds, scope: [] })).toContain('task 1.2');
    expect(editRefusal('.tutti/config.yaml', { ...bounds, scope: [] })).toBeDefined();
  });
});
