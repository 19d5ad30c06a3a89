import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Action } from '../../contracts/contract.ts';
import { type FeatureTurn, type NextStep, nextStep } from './next-step.ts';

const agents: Readonly<Record<string, string>> = {
  tdd: 'tdd-task-executor',
  review: 'code-reviewer',
  gate: 'review-pr',
  simplify: 'code-simplifier',
  hunt: 'silent-failure-hunter',
  types: 'type-design-analyzer',
};
const extras = ['code-simplifier', 'silent-failure-hunter', 'type-design-analyzer'];
const actions: Readonly<Record<string, Action>> = {
  no: 'fix',
  later: 'defer',
  changed: 'review',
  halts: 'halt',
  ok: 'proceed',
};

/** `review no yes`: the review says no, and a person lets it pass. */
function turn(words: string, at: number, phase: number): FeatureTurn {
  const [what = '', how = 'ok', answer] = words.split(' ');
  const part = what in { tdd: 1, review: 1, gate: 1 } ? (what as 'tdd' | 'review' | 'gate') : 'extra';
  const open = how === 'open' ? 'open' : how === 'stopped' ? 'stopped' : 'completed';
  return {
    task: `a.${at}`,
    phase,
    part,
    agent: agents[what] ?? what,
    status: open,
    notes: [`what ${what} ${at} says`],
    ...(how in actions ? { action: actions[how] as Action } : {}),
    ...(answer === undefined ? {} : { answer: answer as 'open' | 'yes' | 'no' | 'again' }),
  };
}

function historyOf(...phases: readonly string[]): FeatureTurn[] {
  let at = 0;
  return phases.flatMap((text, index) =>
    text === '' ? [] : text.split(', ').map((words) => turn(words, (at += 1), index + 1)),
  );
}

function shown(next: NextStep): string {
  if (next.kind !== 'step')
    return 'why' in next ? `${next.kind} ${next.task}: ${next.why}` : Object.values(next).join(' ');
  const name = Object.entries(agents).find(([, agent]) => agent === next.agent)?.[0] ?? '';
  return [`${next.phase}`, name, ...next.issues].join(' ');
}

const next = (phases: string | readonly string[], more: readonly string[] = []): string =>
  shown(nextStep(historyOf(...[phases].flat()), { phases: 2, extras: more }));

const thrice = 'tdd, review no, tdd, review no, tdd, review no';

interface Answered {
  readonly action: Action | undefined;
  readonly yes: boolean;
  readonly stops: boolean;
}

const isOpen = ({ kind }: NextStep): boolean => kind !== 'completed' && kind !== 'halted';

/** Answers a question, or performs the next step. */
function follow(history: FeatureTurn[], step: NextStep, at: number, { action, yes, stops }: Answered): void {
  const last = history.at(-1);
  if (step.kind === 'ask' && last?.task === step.task) {
    history[history.length - 1] = { ...last, answer: yes ? 'yes' : 'no' };
    return;
  }
  if (step.kind !== 'step') throw new Error(`no step is open, and the next is ${step.kind}`);
  const { phase, part, agent } = step;
  const result = action === undefined || part === 'tdd' ? {} : { action };
  history.push({ task: `a.${at}`, phase, part, agent, status: stops ? 'stopped' : 'completed', notes: [], ...result });
}

describe('the next step of a feature', () => {
  it.each([
    ['', '1 tdd'],
    ['tdd open', 'wait a.1'],
    ['tdd stopped', 'halted a.1: it did not complete'],
    ['tdd', '1 review'],
    ['tdd, review stopped', 'halted a.2: it did not complete'],
    ['tdd, review', '1 gate'],
    // A person accepted an unreadable return.
    ['tdd, review taken', '1 gate'],
    ['tdd, review no', '1 tdd what review 2 says'],
    ['tdd, review no, tdd', '1 review'],
    [thrice, 'ask a.6: code-reviewer still rejects it after 3 rounds: what review 6 says'],
    [`${thrice} open`, 'wait a.6'],
    [`${thrice} yes`, '1 gate'],
    [`${thrice} no`, 'halted a.6: rejected by a person'],
    // Fixed once more as the person says; they judge the next no again.
    [`${thrice} again`, '1 tdd what review 6 says'],
    [`${thrice} again, tdd, review no`, 'ask a.8: code-reviewer still rejects it after 4 rounds: what review 8 says'],
    [`${thrice} again, tdd, review`, '1 gate'],
    [
      'tdd, review, gate no, tdd, review, gate no, tdd, review, gate no again, tdd, review, gate no',
      'ask a.12: review-pr still refuses it after 4 rounds: what gate 12 says',
    ],
    ['tdd, review, gate no', '1 tdd what gate 3 says'],
    ['tdd, review, gate no, tdd, review no', '1 tdd what review 5 says'],
    ['tdd, review, gate no, tdd, review, gate no, tdd', '1 review'],
    [
      'tdd, review, gate no, tdd, review, gate no, tdd, review, gate no',
      'ask a.9: review-pr still refuses it after 3 rounds: what gate 9 says',
    ],
    ['tdd, review, gate no, tdd, review, gate no, tdd, review, gate no yes', '2 tdd'],
    ['tdd, review, gate no, tdd, review, gate no, tdd, review, gate no no', 'halted a.9: rejected by a person'],
    // Reviews count again after each look of the gate.
    [`${thrice} yes, gate no, tdd, review no`, '1 tdd what review 9 says'],
  ])('%j → %s', (phases, expected) => {
    expect(next(phases)).toBe(expected);
  });

  it.each([
    ['tdd, review', '1 simplify'],
    ['tdd, review, simplify', '1 hunt'],
    ['tdd, review, simplify changed', '1 review'],
    ['tdd, review, simplify changed, review', '1 hunt'],
    ['tdd, review, simplify changed, review no', '1 tdd what review 4 says'],
    ['tdd, review, simplify changed, review no, tdd, review', '1 hunt'],
    ['tdd, review, simplify, hunt no', '1 tdd what hunt 4 says'],
    // The extra that sent it back reviews it again.
    ['tdd, review, simplify, hunt no, tdd, review', '1 hunt'],
    ['tdd, review, simplify, hunt later', '1 types'],
    ['tdd, review, simplify, hunt, types later', '1 gate'],
    ['tdd, review, simplify, hunt, types, gate no, tdd, review', '1 gate'],
    [
      'tdd, review no, tdd, review no, tdd, review, simplify, hunt no',
      'ask a.8: silent-failure-hunter still rejects it after 3 rounds: what hunt 8 says',
    ],
    ['tdd, review no, tdd, review no, tdd, review, simplify, hunt no yes', '1 types'],
    ['tdd, review no, tdd, review no, tdd, review, simplify, hunt no no', 'halted a.8: rejected by a person'],
  ])('with extras: %j → %s', (phases, expected) => {
    expect(next(phases, extras)).toBe(expected);
  });

  it('continues phase by phase, each from its start', () => {
    const first = 'tdd, review no, tdd, review no, tdd, review, gate';
    expect(next([first, ''])).toBe('2 tdd');
    expect(next([first, 'tdd, review no'])).toBe('2 tdd what review 9 says');
    expect(next([first, 'tdd, review'], ['type-design-analyzer'])).toBe('2 types');
    expect(next([first, 'tdd, review, gate'])).toBe('completed');
  });

  it('ends, whatever the answers', () => {
    const said = fc.record({
      action: fc.constantFrom<Action | undefined>('fix', 'defer', 'review', 'proceed', 'commit', undefined),
      yes: fc.boolean(),
      stops: fc.integer({ min: 0, max: 30 }).map((chance) => chance === 0),
    });
    fc.assert(
      fc.property(
        fc.array(said, { minLength: 1, maxLength: 40 }),
        fc.subarray(extras),
        fc.integer({ min: 1, max: 4 }),
        (answers, more, phases) => {
          const history: FeatureTurn[] = [];
          const plan = { phases, extras: more };
          let step = nextStep(history, plan);
          for (let at = 0; isOpen(step) && history.length <= phases * 60; at += 1) {
            follow(history, step, at, answers[at % answers.length] as Answered);
            step = nextStep(history, plan);
          }
          expect(['completed', 'halted']).toContain(step.kind);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('a step that halts', () => {
  it.each([
    ['tdd, review halts', 'ask a.2: code-reviewer asks for a person: what review 2 says'],
    ['tdd, review halts open', 'wait a.2'],
    ['tdd, review halts yes', '1 gate'],
    ['tdd, review halts again', '1 tdd what review 2 says'],
    ['tdd, review halts no', 'halted a.2: rejected by a person'],
    ['tdd, review, gate halts yes', '2 tdd'],
  ])('%s: %s', (history, expected) => {
    expect(next(history)).toBe(expected);
  });
});
