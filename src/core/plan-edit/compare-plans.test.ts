import { describe, expect, it } from 'vitest';
import { loadPlan } from '../../plan/parse-plan.ts';
import type { Plan } from '../../plan/plan.ts';
import { comparePlans } from './compare-plans.ts';
import type { PlanEdit } from './plan-edit.ts';

const text = `# T

Goal: g

## Settings
- Concurrency: 2
- Budget: 5 minutes, 3 delegations

## Checkpoints
- [ ] After wave 1: look

## Wave 1: First
| id | task | status | deps | scope | accept | tier | agent |
|----|------|--------|------|-------|--------|------|-------|
| 1.1 | Lay the ground | [x] | - | src/a, src/b | it stands | | |
| 1.2 | Build on it | [ ] | 1.1 | src/c | | deep | coder |
| 1.3 | Clean up | [ ] | 1.1, 1.2 | | | | |

## Wave 2: Second
- [~] 2.1 Paint it
  - Deps: Wave 1
- [ ] 2.2 Show it
  - Deps: 2.1
`;

const plan = (words: string): Plan => loadPlan(words, 'p.md').plan;

/** The edits, tasks by their ids alone. */
function compare(...replacements: [string, string][]): unknown[] {
  const changed = replacements.reduce((words, [from, to]) => {
    if (!words.includes(from)) throw new Error(`${from} is not there`);
    return words.replace(from, to);
  }, text);
  return comparePlans(plan(text), plan(changed)).map((edit: PlanEdit) =>
    edit.kind === 'added' || edit.kind === 'changed' ? { ...edit, task: edit.task.id } : edit,
  );
}

const row = (id: string, title: string, deps = ''): string => `| ${id} | ${title} | [ ] | ${deps} | | | | |\n`;
const cleaning = '| 1.3 | Clean up | [ ] | 1.1, 1.2 | | | | |\n';
const building = '| 1.2 | Build on it | [ ] | 1.1 | src/c | | deep | coder |\n';

describe('comparePlans', () => {
  it('finds no edit between different spellings of the same plan', () => {
    expect(
      compare(
        ['src/a, src/b', '`src/b/**`, src/a/x.ts, src/a'],
        ['1.1, 1.2 | | | |', '1.2 and 1.1 | | | standard | worker |'],
        ['[~] 2.1', '[!] 2.1'],
        ['- [ ] After', '- [x] After'],
        ['5 minutes, 3 delegations', '3 delegations, 5 minutes'],
        ['Goal: g', '\n\nGoal: g'],
      ),
    ).toEqual([]);
  });

  it('finds tasks added, removed, moved and reordered', () => {
    expect(compare([building, row('1.9', 'Measure it') + building])).toEqual([
      { kind: 'added', wave: 1, title: 'First', at: 1, task: '1.9' },
    ]);
    expect(compare(['- [ ] 2.2 Show it\n  - Deps: 2.1\n', ''])).toEqual([{ kind: 'removed', task: '2.2' }]);
    expect(compare([cleaning, ''], ['- [~] 2.1', '- [ ] 1.3 Clean up\n  - Deps: 1.1, 1.2\n- [~] 2.1'])).toEqual([
      { kind: 'moved', task: '1.3', wave: 2, at: 0 },
    ]);
    expect(compare([building + cleaning, row('1.0', 'New') + cleaning + building])).toEqual([
      { kind: 'added', wave: 1, title: 'First', at: 1, task: '1.0' },
      { kind: 'reordered', wave: 1, tasks: ['1.1', '1.0', '1.3', '1.2'] },
    ]);
  });

  it('finds the changed fields of a task', () => {
    expect(
      compare(
        ['Lay the ground', 'Lay it'],
        ['src/a, src/b', 'src'],
        ['it stands', 'it stands; for long'],
        [
          '- [ ] 2.2 Show it\n  - Deps: 2.1\n',
          '- [ ] 2.2 Show it\n  - Review: fast\n  - Budget: $1\n  - Tier: deep\n  - Agent: coder\n',
        ],
      ),
    ).toEqual([
      { kind: 'changed', task: '1.1', fields: ['title', 'description', 'scope', 'accept'] },
      { kind: 'changed', task: '2.2', fields: ['after', 'tier', 'agent', 'review', 'budgets'] },
    ]);
  });

  it('distinguishes forbidden paths from the scope, and ignores spelling in both', () => {
    expect(compare(['| src/c |', '| src/c, !src/c/x |'])).toEqual([
      { kind: 'changed', task: '1.2', fields: ['forbidden'] },
    ]);
    const [one, other] = ['src/c, !src/c/y, !src/c/x', '!`src/c/x/**`, !src/c/x/z, `!src/c/y`, src/c'].map((scope) =>
      plan(text.replace('| src/c |', `| ${scope} |`)),
    );
    expect(one && other && comparePlans(one, other)).toEqual([]);
  });

  it('finds ticks set and cleared, and no other mark', () => {
    expect(compare(['[x] | -', '[ ] | -'], ['[ ] | 1.1 |', '[x] | 1.1 |'], ['[~] 2.1', '[x] 2.1'])).toEqual([
      { kind: 'unticked', task: '1.1' },
      { kind: 'ticked', task: '1.2' },
      { kind: 'ticked', task: '2.1' },
    ]);
    expect(compare(['[x] | -', '[!] | -'], ['[~] 2.1', '[^] 2.1'])).toEqual([]);
  });

  it('recognizes a renamed task, and its dependents', () => {
    expect(compare(['| 1.1 |', '| 1.a |'], ['| 1.1 |', '| 1.a |'], ['1.1, 1.2', '1.a, 1.2'])).toEqual([
      { kind: 'renamed', from: '1.1', to: '1.a' },
    ]);
    expect(
      compare(['| 1.1 |', '| 1.a |'], ['| 1.2 |', '| 1.b |'], ['| 1.1 |', '| 1.a |'], ['1.1, 1.2', '1.b, 1.a']),
    ).toEqual([
      { kind: 'renamed', from: '1.1', to: '1.a' },
      { kind: 'renamed', from: '1.2', to: '1.b' },
    ]);
    expect(compare([cleaning, ''], ['- [~] 2.1', '- [x] 2.0 Clean up\n  - Deps: 1.1, 1.2\n- [~] 2.1'])).toEqual([
      { kind: 'renamed', from: '1.3', to: '2.0' },
      { kind: 'moved', task: '2.0', wave: 2, at: 0 },
      { kind: 'ticked', task: '2.0' },
    ]);
  });

  it('prefers a new id in the same wave', () => {
    const alike = (first: string, second: string): Plan =>
      plan(`# T\n## Wave 1\n- [ ] 1.1 A\n${first}\n## Wave 2\n- [ ] 2.1 B\n${second}`);
    expect(comparePlans(alike('', '- [ ] 2.2 C\n'), alike('- [ ] 1.9 C\n', '- [ ] 2.9 C\n'))).toMatchObject([
      { kind: 'renamed', from: '2.2', to: '2.9' },
      { kind: 'added', wave: 1, task: { id: '1.9' } },
    ]);
  });

  it('treats a task with other dependencies as another task', () => {
    expect(compare([cleaning, row('1.9', 'Clean up', '1.1')])).toEqual([
      { kind: 'removed', task: '1.3' },
      { kind: 'added', wave: 1, title: 'First', at: 2, task: '1.9' },
    ]);
    // 1.9 is not the old 1.2, so what waited for that waits for something else now.
    expect(
      compare([building, '| 1.9 | Build on it | [ ] | | src/c | | deep | coder |\n'], ['1.1, 1.2', '1.1, 1.9']),
    ).toEqual([
      { kind: 'removed', task: '1.2' },
      { kind: 'added', wave: 1, title: 'First', at: 1, task: '1.9' },
      { kind: 'changed', task: '1.3', fields: ['after'] },
    ]);
  });

  it('treats an explicit deep review as the default', () => {
    expect(compare(['## Wave 2: Second', '## Wave 2: Second\nReview: deep\n'])).toEqual([]);
  });

  it('does not clear a tick of an unmarked task', () => {
    const marked = (mark: string): Plan =>
      plan(`# T\n## Wave 1\n| ID | Task | Status |\n|---|---|---|\n| 1.1 | one | [${mark}] |\n`);
    const bare = plan('# T\n## Wave 1\n| ID | Task |\n|---|---|\n| 1.1 | one |\n');
    expect(comparePlans(marked('x'), bare)).toEqual([]);
    expect(comparePlans(marked('x'), marked(' '))).toEqual([{ kind: 'unticked', task: '1.1' }]);
  });

  it('finds edits of waves, checkpoints, settings, title and goal', () => {
    expect(
      compare(
        ['## Wave 2: Second', '## Wave 2: Next\nReview: fast\n'],
        [
          '- [ ] 2.2 Show it\n  - Deps: 2.1\n',
          '\n## Wave 3: Third\nReview: standard\n- [ ] 2.2 Show it\n  - Deps: 2.1\n',
        ],
        ['wave 1: look', 'wave 2: look'],
        ['Concurrency: 2', 'Mode: auto'],
        ['3 delegations', '4 delegations'],
        ['Goal: g', 'Goal: h'],
      ),
    ).toEqual([
      { kind: 'wave-changed', number: 2, title: 'Next', reviewTier: 'fast' },
      { kind: 'wave-added', number: 3, title: 'Third', reviewTier: 'standard' },
      { kind: 'moved', task: '2.2', wave: 3, at: 0 },
      { kind: 'checkpoint-removed', afterWave: 1, why: 'look' },
      { kind: 'checkpoint-added', afterWave: 2, why: 'look' },
      { kind: 'settings', keys: ['budgets', 'concurrency', 'mode'] },
      { kind: 'plan-changed', fields: ['goal'] },
    ]);
    const [, second = ''] = text.split(/(?=## Wave 2)/);
    expect(compare([second, ''])).toEqual([
      { kind: 'removed', task: '2.1' },
      { kind: 'removed', task: '2.2' },
      { kind: 'wave-removed', number: 2 },
    ]);
  });
});
