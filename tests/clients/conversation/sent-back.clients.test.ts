/** Rejected work goes back to the agent that did it; the conversation hears of the end alone. */
import { describe, expect, it } from 'vitest';
import { say } from './actors.ts';
import { conduct, delegate, eventsOfKind, verdicts } from './conducted.ts';
import { fileOf, part, report, write } from './players.ts';
import { scenes } from './scenes.ts';
import { versions } from './stage.ts';

const open = scenes();

const checked = {
  waves: [['1.1']],
  config: 'workspace:\n  accept: [[sh, check.sh]]\n',
  files: { 'check.sh': 'grep -q good src/1.1.txt || { echo "error: not good enough" >&2; exit 1; }\n' },
};

describe.each(versions)('%s', (version) => {
  it.each(['foreground', 'background'])('sends rejected work back to its agent, in the %s', async (where) => {
    const scene = await open(
      checked,
      (project) => ({
        main: [conduct(), delegate(['1.1'], { run_in_background: where === 'background' })],
        subagents: [
          part(
            '1.1',
            write(project, fileOf('1.1'), 'bad\n'),
            (request) => say(report(request)),
            write(project, fileOf('1.1'), 'good\n'),
            (request) => say(report(request)),
          ),
        ],
      }),
      { version },
    );
    await scene.play();
    expect(scene.api.faults).toEqual([]);
    expect(verdicts(scene.events())).toEqual(['1.1 rejected acceptance-failed', '1.1 verified']);
    const events = scene.events();
    expect(eventsOfKind(events, 'delegation.registered').map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(new Set(eventsOfKind(events, 'conversation.opened').map(({ id }) => id)).size).toBe(1);
    const told = JSON.stringify(scene.subagentRequests('# Your task: 1.1').at(-1)?.body['messages']);
    expect(told).toContain('Divisi has checked your work and rejected it. This is attempt 2 at task 1.1');
    expect(told).toContain('not good enough');
    expect(scene.heard()).not.toContain('not good enough');
    expect(scene.heard()).not.toContain('will be retried');
    expect(scene.heard()).toContain('1.1 completed, verified: 1 file +1 −0, checks 1/1');
  });

  it('offers the task to a stronger agent when the first one does not succeed', async () => {
    const scene = await open(
      checked,
      (project) => ({
        main: [conduct(), delegate(['1.1'])],
        subagents: [
          part(
            '1.1',
            write(project, fileOf('1.1'), 'bad\n'),
            ...Array(3).fill((request: never) => say(report(request))),
          ),
        ],
      }),
      { version },
    );
    await scene.play();
    expect(scene.api.faults).toEqual([]);
    expect(verdicts(scene.events())).toEqual(Array(3).fill('1.1 rejected acceptance-failed'));
    expect(eventsOfKind(scene.events(), 'task.retried').map(({ why }) => why)).toEqual(['again', 'again', 'escalated']);
    expect(scene.briefs()['1.1']).toContain('Delegate: 1.1 (divisi:worker-deep)');
  });
});
