/** Files that an agent changes through a shell, past the client's tools, while others are at work. */
import { describe, expect, it } from 'vitest';
import { call, say } from './actors.ts';
import { ask, conduct, delegate, eventsOfKind, verdicts } from './conducted.ts';
import { fileOf, part, report, together, write } from './players.ts';
import { scenes } from './scenes.ts';
import { versions } from './stage.ts';

const open = scenes();

describe.each(versions)('%s', (version) => {
  it('blames nobody, and says it once for the run', async () => {
    const all = together(2);
    const scene = await open(
      { waves: [['1.1', '1.2']] },
      (project) => ({
        main: [conduct(), delegate(['1.1', '1.2']), ask('status')],
        subagents: [
          part(
            '1.1',
            call('Bash', { command: 'echo by a shell > src/other.txt', description: 'Write' }),
            write(project, fileOf('1.1')),
            async (request) => {
              await all();
              return say(report(request));
            },
          ),
          part('1.2', write(project, fileOf('1.2')), async (request) => {
            await all();
            return say(report(request));
          }),
        ],
      }),
      { version },
    );
    await scene.play('Go.', '--allowedTools', 'Bash');
    expect(scene.api.faults).toEqual([]);
    expect(scene.file('src/other.txt')).toBe('by a shell\n');
    expect(verdicts(scene.events()).toSorted()).toEqual(['1.1 verified', '1.2 verified']);
    const said = eventsOfKind(scene.events(), 'work.unattributed');
    expect(said.map(({ files, tasks }) => [files, tasks.toSorted()])).toEqual([[['src/other.txt'], ['1.1', '1.2']]]);
    expect(scene.results('status').join()).toContain('were at work, nothing says by whom: src/other.txt');
  });
});
