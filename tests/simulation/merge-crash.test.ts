/** A crash at any event of a run leaves each piece of work on its branch once, and changes nothing about how the run ends. */
import { expect, it } from 'vitest';
import type { CommandRun } from '../../src/core/event/verification.ts';
import type { StepEvent } from '../../src/engine/engine.ts';
import type { PerformStep } from '../../src/engine/local/local-engine.ts';
import { commitId } from '../support/commit-id.ts';
import { crashAt, outcomeOf, toItsEnd } from '../support/crash-at.ts';
import { type Script, type ScriptedRun, scriptedRun } from '../support/scripted-run.ts';
import { baseCheckOf, refusal, verificationOf, workspaceFacts } from '../support/settling.ts';
import { planOf } from '../support/state-of.ts';

interface Landed {
  readonly commit: string;
  readonly task: string;
  readonly delegation: string;
}

/** 1.2 does not hold before the strongest has done it; what was begun before another was merged conflicts with that. */
function stepsOn(branch: Landed[]): PerformStep {
  const head = (): string => branch.at(-1)?.commit ?? workspaceFacts.base;
  return async (step): Promise<StepEvent> => {
    if (step.purpose === 'check') {
      // Only the fixer makes the whole of it hold.
      const ok = branch.some(({ task }) => task === 'wave-1:fix');
      const ran = ({ argv, from }: (typeof step.commands)[number]): CommandRun => {
        return { argv: [...argv], from, ok, end: ok ? 'exit code 0' : 'exit code 1', milliseconds: 1 };
      };
      const { gate, wave, commit } = step;
      return { kind: 'gate.checked', gate, wave, commit, commands: step.commands.map(ran) };
    }
    if (step.purpose === 'canary') {
      const { base, updates, command } = step;
      return { kind: 'base.checked', base, updates, check: baseCheckOf(command) };
    }
    if (step.purpose === 'postflight' || step.purpose === 'update') throw new Error('no command runs here');
    const { delegation, tier } = step;
    const task = step.task.id;
    if (step.purpose === 'verify') {
      const { base } = step.room;
      const refused = task === '1.2' && tier !== 'deep' ? refusal('npm test: exit code 1') : {};
      const verification = verificationOf({ base, commit: commitId(`${base}+${delegation}`), ...refused });
      return { kind: 'task.verified', task, delegation, verification };
    }
    const found = branch.find((one) => one.delegation === delegation);
    if (found !== undefined) return { kind: 'task.merged', task, delegation, commit: found.commit };
    if (task === '1.3' && step.commit !== commitId(`${head()}+${delegation}`)) {
      const conflicts = [{ path: 'a', why: 'both changed it', merged: 'one', own: 'two' }];
      return { kind: 'task.conflicted', task, delegation, onto: head(), conflicts };
    }
    const commit = commitId(`commit-${branch.length + 1}`);
    branch.push({ commit, task, delegation });
    return { kind: 'task.merged', task, delegation, commit };
  };
}

const plan = planOf([[{ id: '1.1' }, { id: '1.2' }, { id: '1.3' }], [{ id: '2.1', accept: ['npm test'] }]]);
const script: Script = ({ task: { agent } }) => {
  return agent === 'wave-reviewer' ? { verdict: { priority: 'LOW', action: 'go on' } } : {};
};

function newRun(): { readonly run: ScriptedRun; readonly branch: Landed[] } {
  const branch: Landed[] = [];
  const workspace = { ...workspaceFacts, accept: [['npm', 'test']] };
  return { run: scriptedRun(plan, script, {}, { workspace, performStep: stepsOn(branch) }), branch };
}

const tasksOn = (branch: readonly Landed[]): string[] => branch.map(({ task }) => task).toSorted();
const all = ['1.1', '1.2', '1.3', '2.1', 'wave-1:fix'];

it('merges what holds, sends back what does not, and fixes what does not hold together', async () => {
  const { run, branch } = newRun();
  const state = await toItsEnd(run, false);
  expect(outcomeOf(state)).toMatchObject({
    status: 'completed',
    tasks: [
      ['1.1', 'completed', 'standard'],
      ['1.2', 'completed', 'deep'],
      ['1.3', 'completed', 'standard'],
      ['2.1', 'completed', 'standard'],
      ['wave-1:fix', 'completed', 'standard'],
      ['wave-1:review', 'completed', 'deep'],
      ['wave-2:review', 'completed', 'deep'],
      ['final:review', 'completed', 'deep'],
    ],
    checkpoints: [],
  });
  expect(tasksOn(branch)).toEqual(all);
  const kinds = new Set(run.events.map(({ kind }) => kind));
  expect([kinds.has('task.conflicted'), kinds.has('gate.checked')]).toEqual([true, true]);
});

it.each([false, true])('a crash at any of its events changes nothing; returns are found: %s', async (found) => {
  const whole = newRun();
  const planned = whole.run.events.length;
  const expected = outcomeOf(await toItsEnd(whole.run, false));
  const { length } = whole.run.events;
  expect(length).toBeGreaterThan(60);
  for (let at = planned + 1; at < length; at += 1) {
    const { run, branch } = newRun();
    await crashAt(run, at);
    expect(run.events.length).toBe(at);
    const after = run.state().status === 'completed' ? run.state() : await toItsEnd(run, found);
    expect({ at, ...outcomeOf(after) }).toEqual({ at, ...expected });
    expect([at, tasksOn(branch)]).toEqual([at, all]);
    expect(after.head).toBe(branch.at(-1)?.commit);
  }
});
