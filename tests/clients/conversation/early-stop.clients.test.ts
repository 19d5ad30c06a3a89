/** A conductor that stops although its run needs it: held with what comes next, three times; then the run waits for a conductor. */
import { describe, expect, it } from 'vitest';
import { divisi } from '../../support/divisi.ts';
import { until } from '../../support/until.ts';
import { type Line, say } from './actors.ts';
import { ask, conduct, delegate, eventsOfKind, type Scene } from './conducted.ts';
import { mainThat, textOf, toolOf } from './divisi-here.ts';
import { reviewers, worker } from './players.ts';
import { scenes } from './scenes.ts';
import { versions } from './stage.ts';

const open = scenes();
const waiting = 'waiting for a conductor';

const holdsIn = ({ events }: Scene): number[] => eventsOfKind(events(), 'conductor.held').map(({ hold }) => hold);
const leftIn = ({ events }: Scene): string[] => eventsOfKind(events(), 'conductor.left').map(({ why }) => why);

/** Delegates all it is offered, until the run is over. */
function conducts(): Line[] {
  const main = mainThat();
  return Array.from({ length: 6 }, () => main);
}

/** What every view says about the only run: its status, in a word. */
async function shownBy({ project }: Scene): Promise<string[]> {
  const look = async (...args: readonly string[]): Promise<string> => (await divisi(args, { cwd: project })).stdout;
  const { status } = JSON.parse(await look('status', '--json')) as { status: string };
  const { runs } = JSON.parse(await look('list', '--json')) as { runs: { status: string }[] };
  const [line = ''] = (await look('list')).split('\n');
  const [first = ''] = (await look('status')).split('\n');
  return [
    status,
    ...runs.map((run) => run.status),
    / {2}(\S[^]*?) {2}/.exec(line)?.[1] ?? line,
    first.replace(/^run_\w+ Sample: /, ''),
  ];
}

describe.each(versions)('%s', (version) => {
  it('is held with what to delegate next, and the run ends well', async () => {
    const stops: Line[] = [conduct(), say('I did enough.')];
    const scene = await open(
      { waves: [['1.1']] },
      (project) => ({
        main: [...stops, delegate(['1.1']), say('That is it.'), ...conducts()],
        subagents: [worker(project, '1.1'), reviewers(project)],
      }),
      { version },
    );
    const { result } = await scene.play();
    expect(scene.api.faults).toEqual([]);
    expect(result).toMatchObject({ result: 'All is done.' });
    const held = scene.mainRequests().map((request) => textOf(request).split('Stop hook feedback:').slice(1));
    expect(held.at(-1)).toEqual([
      expect.stringContaining('Delegate: 1.1 (divisi:worker-standard).'),
      expect.stringContaining('Delegate: wave-1:review (divisi:reviewer).'),
    ]);
    // Each is a first one: a delegation came in between.
    expect([holdsIn(scene), leftIn(scene)]).toEqual([[1, 1], []]);
    expect(eventsOfKind(scene.events(), 'run.ended')).toMatchObject([{ status: 'completed' }]);
  });

  it('is let go after three in a row, and another conversation continues the run', async () => {
    const refuses = [1, 2, 3, 4].map((time) => say(`No, ${time}.`));
    const scene = await open(
      { waves: [['1.1']] },
      (project) => ({
        main: [conduct(), ...refuses, ask('run', { resume: 'resume', here: true }), ...conducts()],
        subagents: [worker(project, '1.1'), reviewers(project)],
      }),
      { version },
    );
    const { result } = await scene.play();
    expect(result).toMatchObject({ result: 'No, 4.' });
    expect([holdsIn(scene), leftIn(scene)]).toEqual([[1, 2, 3], ['stopped']]);
    expect(await shownBy(scene)).toEqual([waiting, waiting, waiting, waiting]);
    const { stdout } = await divisi(['status'], { cwd: scene.project });
    const [, typed = ''] = /`claude`[^`]*`(\/divisi:resume [^`]*)`/.exec(stdout) ?? [];
    expect(typed).toMatch(/run_\w+ --here$/);
    await scene.play(typed);
    expect(scene.api.faults).toEqual([]);
    expect(eventsOfKind(scene.events(), 'run.ended')).toMatchObject([{ status: 'completed' }]);
    expect(await shownBy(scene)).toEqual(Array.from({ length: 4 }, () => 'completed'));
  });

  it('may stop to ask a person, and not without asking', async () => {
    const checkpoint = { waves: [['1.1'], ['2.1']], more: ['## Checkpoints', '', '- [ ] After wave 1: look at it'] };
    const scene = await open(
      checkpoint,
      (project) => ({
        main: [
          conduct({ mode: 'default' }),
          delegate(['1.1']),
          delegate(['wave-1:review']),
          say('The first wave is over.'),
          say('May wave 2 start?'),
        ],
        subagents: [worker(project, '1.1'), reviewers(project)],
      }),
      { version },
    );
    const { result } = await scene.play();
    expect(result).toMatchObject({ result: 'May wave 2 start?' });
    expect(holdsIn(scene)).toEqual([1]);
    expect(textOf(scene.mainRequests().at(-1))).toMatch(/Stop hook feedback:[^]*A person must answer checkpoint-1/);
    // The client has ended: an answer alone does not continue the run.
    expect(await shownBy(scene)).toEqual([waiting, waiting, waiting, waiting]);
  });

  it('killed, it is shown as such; resumed, it conducts again', async () => {
    let isBack = false;
    const scene = await open(
      { waves: [['1.1']] },
      (project) => ({
        main: [conduct(), () => (isBack ? say('I wait.') : { does: 'stall' }), ...conducts()],
        subagents: [worker(project, '1.1'), reviewers(project)],
      }),
      { version },
    );
    const killed = scene.headless('Go.', '--allowedTools', toolOf('*'));
    await until(
      () => scene.mainRequests().length,
      (requests) => requests === 2,
    );
    expect(await shownBy(scene)).toEqual(['running', 'running', 'running', 'running']);
    killed.kill('SIGKILL');
    await killed.ended;
    isBack = true;
    expect(await shownBy(scene)).toEqual([waiting, waiting, waiting, waiting]);
    await scene.play('And?', '--resume', killed.session() ?? '');
    expect(scene.api.faults).toEqual([]);
    expect(eventsOfKind(scene.events(), 'run.conducted')).toHaveLength(2);
    expect(eventsOfKind(scene.events(), 'run.ended')).toMatchObject([{ status: 'completed' }]);
  });
});
