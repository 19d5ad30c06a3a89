/** The text for a conducting conversation keeps its budget and its form, whatever agents and plans contain. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fewRuns } from '../../../tests/properties/runs.ts';
import { hostileWords } from '../../../tests/support/run-report.ts';
import { createdRun, happen, planOf } from '../../../tests/support/state-of.ts';
import { doneText, hereNext, runText } from './here-text.ts';

it('keeps its budget, and nothing in it looks like a tag or ends its quotes', () => {
  fc.assert(
    fc.property(hostileWords, hostileWords, fc.nat(30), (title, message, ready) => {
      const state = createdRun(planOf([[{ id: '1.1' }, { id: '1.2' }]], { title }), 2, true);
      happen(state, { kind: 'run.started', command: 'x' }, { kind: 'wave.started', wave: 1 });
      const [task] = state.tasks.values();
      if (task === undefined) throw new Error('the plan has a task');
      const failure = { attempt: 1, tier: 'fast', status: 'failed', class: 'agent-error', message } as const;
      task.failures = [failure];
      const type = 'checkpoint.opened';
      happen(state, { kind: type, checkpoint: 'checkpoint-1', type: 'breaker', why: message, signature: 'x' });
      const offered = Array.from({ length: ready }, (_, at) => ({ task: `1.${at}`, subagent: 'divisi:worker-fast' }));
      const texts = [doneText(task), hereNext(state, offered), runText(state, offered)];
      expect(texts.map((text, at) => text.length <= ([300, 300, 900][at] ?? 0))).toEqual([true, true, true]);
      for (const text of texts) expect(text).not.toMatch(/[<>\n]/);
      expect(texts[1]?.startsWith('Delegate: ')).toBe(ready > 0);
    }),
    fewRuns,
  );
});
