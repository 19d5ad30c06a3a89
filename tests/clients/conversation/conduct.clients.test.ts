/** A run that the conversation conducts with the client's own subagents: what comes back, whatever they say. */
import { failureOf } from '../../../src/core/event/make-outcome.ts';
import { describe, expect, it } from 'vitest';
import { say } from './actors.ts';
import { ask, conduct, delegate, eventsOfKind, reportOf, type Scene, taskOfDelegation, verdicts } from './conducted.ts';
import { fileOf, part, report, reportPathOf, reviewers, together, worker, write } from './players.ts';
import { scenes } from './scenes.ts';
import { versions } from './stage.ts';

const open = scenes();

describe.each(versions)('%s', (version) => {
  describe('eight subagents that stop within the same second', () => {
    const tasks = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => `1.${number}`);

    const eight = (background: boolean) => (project: string) => {
      const all = together(8);
      const more = background ? { run_in_background: true } : {};
      return {
        main: [conduct(), delegate(tasks, more), ...(background ? [say('Waiting.')] : [delegate(['wave-1:review'])])],
        subagents: [
          ...tasks.map((task) =>
            part(task, write(project, fileOf(task)), async (request) => {
              await all();
              return say(report(request, { summary: `Only ${task} says so.`, more: '## Decisions\n- None.\n' }));
            }),
          ),
          reviewers(project),
        ],
      };
    };

    it.each(['foreground', 'background'])('in the %s', async (where) => {
      const scene = await open({ waves: [tasks] }, eight(where === 'background'), { version });
      await scene.play();
      const { api, briefs, notices, events, file } = scene;
      expect(api.faults).toEqual([]);
      const said = Object.entries(where === 'background' ? notices() : briefs());
      expect(Object.fromEntries(said.map(([task, text]) => [task, text.split('\n')[0]]))).toMatchObject(
        Object.fromEntries(tasks.map((task) => [task, `${task} completed, verified: 1 file +1 −0`])),
      );
      expect(verdicts(events()).toSorted()).toEqual(tasks.map((task) => `${task} verified`));
      const reports = tasks.map((task) => file(reportOf(events(), task)));
      expect(reports).toEqual(tasks.map((task) => expect.stringContaining(`Only ${task} says so.`)));
      expect(eventsOfKind(events(), 'delegation.ended').map(({ outcome }) => outcome.repairs)).toEqual(
        eventsOfKind(events(), 'delegation.started').map(() => 0),
      );
    });
  });

  /** The wave has one agent of every kind; what is in the conversation afterwards is the same for all of them. */
  describe('whatever they return', () => {
    const kinds = { prose: '1.1', stubborn: '1.2', told: '1.3', long: '1.4' };
    const tasks = Object.values(kinds);
    const words = 'A decision that takes about a line to be told.';
    const long = `## Details\n${`${words}\n`.repeat(2050)}`;

    const cast = (background: boolean) => (project: string) => ({
      main: [
        conduct(),
        delegate(tasks, background ? { run_in_background: true } : {}),
        background ? say('Waiting.') : ask('answer', { approve: true }),
      ],
      subagents: [
        part(kinds.prose, write(project, fileOf(kinds.prose)), say('I did it all, trust me.'), (request) =>
          say(report(request, { summary: 'Asked again, it says so.' })),
        ),
        part(
          kinds.stubborn,
          write(project, fileOf(kinds.stubborn)),
          ...[1, 2, 3].map((time) => say(`All done, ${time}.`)),
        ),
        part(
          kinds.told,
          write(project, fileOf(kinds.told)),
          (request) => write(project, reportPathOf(request), report(request, { summary: 'It is in the file.' })),
          say('Done.'),
        ),
        worker(project, kinds.long, { more: long }),
      ],
    });

    function expectOnRecord({ events, file }: Scene): void {
      const all = events();
      const asked = eventsOfKind(all, 'return.refused').map((event) => {
        return `${taskOfDelegation(all, event.delegation)} ${event.repair}`;
      });
      expect(asked.toSorted()).toEqual(['1.1 1', '1.2 1', '1.2 2']);
      const ends = eventsOfKind(all, 'delegation.ended').map(({ task, outcome }) => {
        return [task, outcome.status, failureOf(outcome)?.class].join(' ').trim();
      });
      expect(ends.toSorted()).toEqual([
        '1.1 completed',
        '1.2 blocked contract-violation',
        '1.3 completed',
        '1.4 completed',
      ]);
      expect(eventsOfKind(all, 'checkpoint.opened')).toMatchObject([{ task: '1.2', checkpoint: 'checkpoint-1' }]);
      expect(tasks.map((task) => file(fileOf(task)))).toEqual(tasks.map((task) => `${fileOf(task)}\n`));
      expect(file(reportOf(all, kinds.prose))).toContain('Asked again, it says so.');
      expect(file(reportOf(all, kinds.told))).toContain('It is in the file.');
      expect(file(reportOf(all, kinds.long))).toContain(long.trimEnd());
    }

    it('in the foreground', async () => {
      const scene = await open({ waves: [tasks] }, cast(false), { version });
      await scene.play();
      const { api, briefs, heard, results, events } = scene;
      expect(api.faults).toEqual([]);
      expectOnRecord(scene);
      expect(briefs()).toEqual({
        '1.1': expect.stringMatching(/^1\.1 completed, degraded \(repaired\): 1 file \+1 −0\n/),
        '1.2': expect.stringMatching(
          /^1\.2 waiting for a person \(contract-violation: "still not accepted after 2 repairs/,
        ),
        '1.3': expect.stringMatching(/^1\.3 completed, verified: 1 file \+1 −0\n/),
        '1.4': expect.stringMatching(/^1\.4 completed, verified: 1 file \+1 −0\n/),
      });
      expect(Object.values(briefs()).filter(({ length }) => length > 600)).toEqual([]);
      expect(heard()).not.toContain(words);
      expect(heard()).not.toContain('trust me');
      // A person's yes takes the work as it is: no one does it again.
      expect(results('answer').join()).toContain('wave-1:review');
      expect(verdicts(events()).filter((one) => one.startsWith(kinds.stubborn))).toHaveLength(1);
      expect(eventsOfKind(events(), 'delegation.started')).toHaveLength(4);
    });

    it('in the background', async () => {
      const scene = await open({ waves: [tasks] }, cast(true), { version });
      await scene.play();
      const { api, notices, heard } = scene;
      expect(api.faults).toEqual([]);
      expectOnRecord(scene);
      expect(notices()).toEqual({
        '1.1': '1.1 completed, degraded (repaired): 1 file +1 −0',
        '1.2': 'All done, 3.',
        '1.3': 'Done.',
        '1.4': '1.4 completed, verified: 1 file +1 −0',
      });
      expect(heard()).not.toContain(words);
      // What is clean needs no word more; the rest is told.
      expect(heard()).toContain('1.2 waiting for a person (contract-violation');
      expect(heard()).not.toContain('1.3 completed');
    });
  });
});
