import { describe, expect, it } from 'vitest';
import { runTarget } from './run-target.ts';

const there = new Set(['plan.md', 'notes', 'my plan']);
const targetOf = (...words: string[]): unknown => runTarget(words, (path) => there.has(path));

describe('what was given to run', () => {
  it.each<[string[], object]>([
    [[], { kind: 'nothing' }],
    [['', ' '], { kind: 'nothing' }],
    [['-'], { kind: 'standard-input' }],
    [['plan.md'], { kind: 'plan', file: 'plan.md' }],
    [['notes'], { kind: 'plan', file: 'notes' }],
    [['my plan'], { kind: 'plan', file: 'my plan' }],
    [['plan.dm/x'], { kind: 'plan', file: 'plan.dm/x' }],
    [['lost.md'], { kind: 'plan', file: 'lost.md' }],
    [['tidy'], { kind: 'description', description: 'tidy' }],
    [['tidy src/a.md now'], { kind: 'description', description: 'tidy src/a.md now' }],
    [['tidy', 'plan.md'], { kind: 'description', description: 'tidy plan.md' }],
    [['resume'], { kind: 'resume', words: ['resume'] }],
    [['resume, skip failed tasks'], { kind: 'resume', words: ['resume, skip failed tasks'] }],
    [['Resume', 'from', 'wave', '2'], { kind: 'resume', words: ['Resume', 'from', 'wave', '2'] }],
    [['resumes are sorted'], { kind: 'description', description: 'resumes are sorted' }],
    [['resume.md'], { kind: 'plan', file: 'resume.md' }],
  ])('%j', (words, target) => {
    expect(targetOf(...words)).toEqual(target);
  });

  it.each([[['plan.md', 'lost.md']], [['lost.md', 'gone.md']], [['plan.md', 'and', 'more']], [['-', 'plan.md']]])(
    '%j is more than one',
    (words) => {
      expect(() => targetOf(...words)).toThrow('only one plan can run at a time');
    },
  );
});
