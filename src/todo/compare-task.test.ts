import { describe, expect, it } from 'vitest';
import { whatPersonChanged } from './compare-task.ts';
import { foundOf } from './found-task.ts';
import type { ProjectTask } from './project-task.ts';

const ours: ProjectTask = {
  number: 7,
  title: 'Parser',
  description: 'One.\n\nTwo.',
  status: 'planned',
  language: 'lean',
  priority: 'High',
  artifacts: [{ type: 'plan', path: 'p/plan.md' }],
  created: '2026-01-02T00:00:00.000Z',
  updated: '2026-01-03T00:00:00.000Z',
};
const base = foundOf(ours);

describe('whatPersonChanged', () => {
  it('is nothing where the file is as it was written', () => {
    expect(whatPersonChanged(base, { ...base, created: '2026-01-02', updated: '2030-01-01' }, ours)).toEqual({
      changes: {},
      conflicts: [],
    });
  });

  it('is nothing where the file is only out of date', () => {
    expect(whatPersonChanged(base, base, { ...ours, status: 'implementing', title: 'New' })).toEqual({
      changes: {},
      conflicts: [],
    });
  });

  it('is what differs from what was written', () => {
    const found = { ...base, title: 'Better parser', status: 'implementing', effort: '2 hours' } as const;
    expect(whatPersonChanged(base, found, { ...ours, language: 'rust' })).toEqual({
      changes: { title: 'Better parser', status: 'implementing', effort: '2 hours' },
      conflicts: [],
    });
  });

  it('is nothing where both changed it to the same', () => {
    expect(whatPersonChanged(base, { ...base, title: 'Same' }, { ...ours, title: ' Same\n' })).toEqual({
      changes: {},
      conflicts: [],
    });
  });

  it('is a conflict that names both where both changed it', () => {
    const found = { ...base, title: 'Theirs', status: 'blocked' } as const;
    expect(whatPersonChanged(base, found, { ...ours, title: 'Ours', status: 'implementing' })).toEqual({
      changes: {},
      conflicts: [
        'task 7: title was changed to "Theirs" by hand, and to "Ours" in the meantime',
        'task 7: status was changed to blocked by hand, and to implementing in the meantime',
      ],
    });
  });

  it('is a conflict where the status may not follow', () => {
    expect(whatPersonChanged(base, { ...base, status: 'researched', effort: '1 h' }, ours)).toEqual({
      changes: { effort: '1 h' },
      conflicts: ['task 7: status was changed to researched by hand, but it cannot follow planned'],
    });
  });

  it('is a conflict if it is unknown what was written', () => {
    expect(whatPersonChanged(undefined, { ...base, language: 'rust' }, ours)).toEqual({
      changes: {},
      conflicts: ['task 7: language is "rust" in the file and "lean" in the task list'],
    });
  });

  it('is a draft where the entry is new', () => {
    const found = { number: 9, title: 'By hand', status: 'planned', slug: 'by_hand', created: '2026-01-01' } as const;
    expect(whatPersonChanged(undefined, found, undefined)).toEqual({
      changes: { title: 'By hand', status: 'planned' },
      conflicts: [],
    });
  });

  it('deletes nothing', () => {
    expect(whatPersonChanged(base, undefined, ours)).toEqual({
      changes: {},
      conflicts: ['task 7 was removed by hand, but is still in the task list'],
    });
    expect(whatPersonChanged(base, { number: 7, title: 'Parser' }, ours)).toEqual({ changes: {}, conflicts: [] });
    expect(whatPersonChanged(undefined, undefined, ours)).toEqual({ changes: {}, conflicts: [] });
  });

  it('says that a task which was archived was changed', () => {
    expect(whatPersonChanged(base, { ...base, title: 'Again' }, undefined).conflicts).toEqual([
      'task 7 was changed by hand, but is no longer in the task list',
    ]);
    expect(whatPersonChanged(base, base, undefined)).toEqual({ changes: {}, conflicts: [] });
  });

  it('adds artifacts that a person added', () => {
    const theirs = { type: 'report', path: 'p/by-hand.md' } as const;
    const mine = { type: 'summary', path: 'p/mine.md' } as const;
    const found = { ...base, artifacts: [...ours.artifacts, theirs] };
    expect(whatPersonChanged(base, found, { ...ours, artifacts: [...ours.artifacts, mine] })).toEqual({
      changes: { artifacts: [...ours.artifacts, mine, theirs] },
      conflicts: [],
    });
  });

  it('takes no title from the name of a folder', () => {
    expect(whatPersonChanged(base, { ...base, title: 'parser', isTitleMade: true }, ours).changes).toEqual({});
  });
});
