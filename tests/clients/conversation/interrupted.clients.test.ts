/** A conducted run whose conversation is killed or shortened: what was done stays done, the rest is offered again. */
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ledgerOf } from '../../support/project.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';
import type { Step } from '../model-api/script.ts';
import { call, type Cast, type Line, say } from './actors.ts';
import { exchangesIn } from './captured.ts';
import { openStage, type Stage, versions } from './stage.ts';
import {
  conductedProject,
  conductPlan,
  eventsOf,
  mainThat,
  reportOf,
  reportPathOf,
  reviewer,
  textOf,
  toolOf,
  withDivisi,
  worker,
  writes,
} from './divisi-here.ts';

const temporary = temporaryFolders();
const allowed = ['--allowedTools', toolOf('run')];

describe.each(versions)('%s', (version) => {
  let stages: Stage[] = [];
  afterEach(async () => {
    await Promise.all(stages.map(({ close }) => close()));
    stages = [];
  });

  async function open(tasks: readonly string[], cast: (project: string) => Cast): Promise<Stage> {
    const root = temporary();
    const project = conductedProject(root, [tasks]);
    const setting = { ...withDivisi(root), project, version, mode: 'acceptEdits' } as const;
    const stage = await openStage(cast(project), setting);
    stages.push(stage);
    return stage;
  }

  const startsOf = ({ place }: Stage): string[] =>
    eventsOf(place.project, 'delegation.registered').map(({ task }) => task);

  it('killed while agents are running, it continues what is left', async () => {
    const stalled = new Set<string>();
    const lost = (task: string): Step => {
      stalled.add(task);
      return { does: 'stall' };
    };
    const stage = await open(['1.1', '1.2', '1.3'], (project) => {
      const look = call('Read', { file_path: join(project, 'src/known.txt') });
      const works = writes(project);
      // Its report is there when it is lost.
      const reports: Line = (request) =>
        call('Write', { file_path: join(project, reportPathOf(request)), content: reportOf(request) });
      // What it had written is found by the one after it, who has nothing left to write.
      const stopsAt =
        (task: string): Line =>
        (request) =>
          stalled.has(task) ? say(reportOf(request)) : lost(task);
      return {
        main: [mainThat({ 'Begin.': conductPlan, 'Look.': look })],
        subagents: [
          { told: '# Your task: 1.2', lines: [works, reports, stopsAt('1.2')] },
          { told: '# Your task: 1.3', lines: [works, stopsAt('1.3')] },
          worker(project),
          reviewer(project),
        ],
      };
    });
    const { project } = stage.place;
    const killed = stage.headless('Begin.', ...allowed);
    await until(
      () => stalled.size,
      (agents) => agents === 2,
    );
    await until(
      () => eventsOf(project, 'task.verified'),
      (verified) => verified.length === 1,
    );
    killed.kill('SIGKILL');
    await killed.ended;
    const resume = [...allowed, '--resume', killed.session() ?? ''];
    // Another conversation in the same project is free; the one that conducts is not, though its client is another process.
    await stage.headless('Look.').ended;
    const [looked] = stage.mainRequests().slice(-1).flatMap(exchangesIn);
    expect(looked?.result).toContain('known');
    const { result } = await stage.headless('Look.', ...resume).ended;
    expect(result).toMatchObject({ result: 'All is done.', session_id: killed.session() });
    expect(stage.api.faults).toEqual([]);
    const last = stage.mainRequests().at(-1);
    expect(textOf(last)).toContain('While you conduct a run, Read is for its agents');
    expect(textOf(last)).toMatch(
      /context: Divisi run \S+ \("Sample"\) is running: 2 of 3 tasks completed\. Delegate: 1\.3 /,
    );
    expect(ledgerOf(project).report.status).toBe('completed');
    expect(startsOf(stage).toSorted()).toEqual(['1.1', '1.2', '1.3', '1.3', 'wave-1:review']);
    expect(
      eventsOf(project, 'delegation.ended')
        .filter(({ task }) => task.startsWith('1.'))
        .map(({ task, end, outcome }) => [task, end, ...outcome.degraded].join(' '))
        .toSorted(),
    ).toEqual(['1.1 returned', '1.2 returned recovered', '1.3 lost', '1.3 returned']);
  });

  it('after compaction, it learns the state of the run', async () => {
    // Asked to continue three times, it is let go; between two prompts nothing is running.
    const stops = (words: string): Line[] => [1, 2, 3, 4].map(() => say(words));
    const stage = await open(['1.1'], (project) => ({
      main: [conductPlan, ...stops('I stop here.'), ...stops('Two.'), mainThat()],
      subagents: [worker(project), reviewer(project)],
    }));
    const { project } = stage.place;
    const { result } = await stage.headless('Begin.', ...allowed).ended;
    const resume = [...allowed, '--resume', String(result['session_id'])];
    await stage.headless('And?', ...resume).ended;
    const before = eventsOf(project).length;
    await stage.headless('/compact', ...resume).ended;
    expect(textOf(stage.compactions()[0])).toMatch(
      /Keep this: Divisi run \S+ [^\n]*Delegate: 1\.1 \(divisi:worker-standard\)/,
    );
    // An agent ends that no one has seen begin: the one that compacts.
    const since = eventsOf(project).slice(before);
    expect(since.map(({ kind }) => kind)).toEqual(['run.conducted', 'conductor.left']);
    const { result: last } = await stage.headless('Go on.', ...resume).ended;
    expect(last['result']).toBe('All is done.');
    const [back] = stage.mainRequests().slice(9);
    expect(textOf(back)).not.toContain('I stop here.');
    expect(textOf(back)).toMatch(/additional context: Divisi run \S+ [^\n]*Delegate: 1\.1 \(divisi:worker-standard\)/);
    expect(startsOf(stage)).toEqual(['1.1', 'wave-1:review']);
  });
});
