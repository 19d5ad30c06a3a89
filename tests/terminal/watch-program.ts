/** A run at a checkpoint, watched in a terminal. Its argument says what happens to it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { watchRun } from '../../src/cli/live/watch-run.ts';
import { type NewEvent, stamp } from '../../src/core/event/event.ts';
import { advance, createdRun, end, happen, planOf } from '../support/state-of.ts';

const plan = planOf([[{ id: '1.1' }], [{ id: '2.1' }]], { checkpoints: [{ afterWave: 1, why: 'look at the schema' }] });
const started: NewEvent = { kind: 'run.started', command: 'a test' };
const state = happen(createdRun(plan), started);
advance(state);
end(state, '1.1', 'completed');
advance(state);

const watched = watchRun('a test', { asJson: false, project: process.cwd() });
watched.options.seen(stamp(started, Date.now()), state);
watched.options.controls?.({
  stop(how) {
    if (how === 'at-once') watched.end();
  },
  answer(checkpoint, approved) {
    watched.end();
    console.log(`${checkpoint} ${approved ? 'approved' : 'rejected'}`);
  },
});
if (process.argv[2] === 'warns') watched.options.warn(new Error('take care'));
if (process.argv[2] === 'breaks') {
  await sleep(500);
  setImmediate(() => {
    throw new Error('broken on purpose');
  });
}
