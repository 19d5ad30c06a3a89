/** Agents that continue when their time is up, or when another one has their task: no call of theirs changes anything any more. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { divisi } from '../../support/divisi.ts';
import { until } from '../../support/until.ts';
import { call, say } from './actors.ts';
import { exchangesIn } from './captured.ts';
import { conduct, delegate, eventsOfKind, type Scene, verdicts } from './conducted.ts';
import { fileOf, part, report, write } from './players.ts';
import { scenes } from './scenes.ts';
import { versions } from './stage.ts';

const open = scenes();

const over = 'your time is up: return what you have';

/** What each call of an agent gave, in the last request of the one that was told this. */
function resultsOf({ subagentRequests }: Scene, told: (text: string) => boolean): (string | undefined)[] {
  const requests = subagentRequests('# Your task').filter(({ messages }) => told(messages[0]?.text ?? ''));
  return requests
    .slice(-1)
    .flatMap(exchangesIn)
    .map(({ result }) => result);
}

describe.each(versions)('%s', (version) => {
  it('refuses every call of an agent whose task another one has finished, after the run has ended', async () => {
    const [replaced, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const path = fileOf('1.1');
    let scene: Scene | undefined = undefined;
    const events = () => scene?.events() ?? [];
    const pause = async () => {
      await until(
        () => eventsOfKind(events(), 'conversation.opened').length,
        (count) => count === 1,
      );
      await divisi(['pause'], { cwd: scene?.project ?? '' });
      return conduct();
    };
    scene = await open(
      { waves: [['1.1']], settings: ['Reviews: off'] },
      (project) => ({
        main: [
          conduct(),
          delegate(['1.1'], { run_in_background: true }),
          pause,
          delegate(['1.1'], { run_in_background: false }),
          async () => {
            replaced.resolve();
            await left.promise;
            return say('All done.');
          },
        ],
        subagents: [
          {
            told: 'the changes of the previous attempt are still in the files',
            lines: [
              call('Read', { file_path: `${project}/${path}` }),
              write(project, path, 'second\n'),
              (request) => say(report(request, { files: [path], summary: 'By the second.' })),
            ],
          },
          part(
            '1.1',
            write(project, path, 'first\n'),
            async () => {
              await replaced.promise;
              return call('Read', { file_path: `${project}/${path}` });
            },
            write(project, path, 'late\n'),
            call('Bash', { command: `echo late > ${path}`, description: 'Write it' }),
            (request) => {
              left.resolve();
              return say(report(request, { summary: 'By the first.\n\nAt length.' }));
            },
          ),
        ],
      }),
      { version },
    );
    await scene.play('Go.', '--allowedTools', 'Write', 'Bash');
    expect(scene.api.faults).toEqual([]);
    expect(scene.file(path)).toBe('second\n');
    const calls = resultsOf(scene, (text) => !text.includes('the changes of the previous attempt'));
    expect(calls).toEqual([expect.not.stringContaining(over), ...Array(3).fill(expect.stringContaining(over))]);
    expect(verdicts(events())).toEqual(['1.1 verified']);
    const reports = eventsOfKind(events(), 'delegation.ended').flatMap(({ outcome }) => outcome.report ?? []);
    expect(reports.map((file) => scene.file(file))).toEqual([expect.stringContaining('By the second.')]);
    expect(eventsOfKind(events(), 'run.ended')).toMatchObject([{ status: 'completed' }]);
    const status = () => divisi(['status'], { cwd: scene.project });
    expect((await status()).stdout).toContain('completed, verified: 1 file');
    // As a command does that an agent started in time.
    writeFileSync(join(scene.project, path), 'late\n');
    expect((await status()).stdout).toContain(`completed, verified, then changed: ${path}`);
    writeFileSync(join(scene.project, path), 'second\n');
    expect((await status()).stdout).toContain('completed, verified: 1 file');
  });

  it('takes what an agent has when its time is up', async () => {
    let scene: Scene | undefined = undefined;
    const isLate = (): boolean =>
      eventsOfKind(scene?.events() ?? [], 'workspace.opened').some(({ deadline }) => deadline < Date.now());
    scene = await open(
      { waves: [['1.1']], config: 'deadlines: { implementing: 1 }\n' },
      (project) => ({
        main: [conduct(), delegate(['1.1'])],
        subagents: [
          part(
            '1.1',
            async () => {
              await until(isLate, (late) => late);
              return write(project, fileOf('1.1'));
            },
            (request) => say(report(request, { status: 'failed', files: [], more: '## Issues\n- No time.\n' })),
          ),
        ],
      }),
      { version },
    );
    await scene.play();
    expect(scene.api.faults).toEqual([]);
    expect(scene.file(fileOf('1.1'))).toBeUndefined();
    expect(resultsOf(scene, () => true)).toEqual([expect.stringContaining(over)]);
    expect(eventsOfKind(scene.events(), 'delegation.ended').map(({ end }) => end)).toEqual(['returned']);
  });
});
