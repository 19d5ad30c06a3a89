/** A conducted run as a person sees it in a terminal: typed as a command, agents in the background, a line for each that ends. */
import { afterEach, describe, expect, it } from 'vitest';
import { ledgerOf } from '../../support/project.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';
import { hasTmux } from '../../support/terminal.ts';
import { until } from '../../support/until.ts';
import { call, type Cast } from './actors.ts';
import { exchangesIn } from './captured.ts';
import { type Interactive, openStage, type Stage } from './stage.ts';
import {
  conductedProject,
  conductPlan,
  eventsOf,
  held,
  mainThat,
  reviewer,
  textOf,
  toolOf,
  withDivisi,
  worker,
} from './divisi-here.ts';

const temporary = temporaryFolders();

describe.runIf(hasTmux)('in a terminal', () => {
  let stages: Stage[] = [];
  afterEach(async () => {
    await Promise.all(stages.map(({ close }) => close()));
    stages = [];
  });

  async function open(cast: (project: string) => Cast): Promise<Stage> {
    const root = temporary();
    const project = conductedProject(root);
    const setting = { ...withDivisi(root), project, version: 'claude', mode: 'acceptEdits' } as const;
    const stage = await openStage(cast(project), setting);
    stages.push(stage);
    return stage;
  }

  const untilRunning = async ({ place }: Stage, agents: number): Promise<void> =>
    until(
      () => eventsOf(place.project, 'conversation.opened').length,
      (opened) => opened === agents,
    );

  /** Patience for each of them. */
  async function showsAll(window: Interactive, ...words: readonly string[]): Promise<void> {
    for (const one of words) await window.shows(one);
  }

  it('a run is typed, and each agent that ends is a line', async () => {
    const stage = await open((project) => ({
      main: [mainThat({ 'you conduct the run': conductPlan })],
      subagents: [worker(project, 12_000), reviewer(project)],
    }));
    const window = await stage.interactive();
    await window.tell('/divisi:run --here plan.md');
    await showsAll(
      window,
      'Agent "1.1 Write the file of 1.1" finished',
      'Agent "wave-1:review Review wave 1" finished',
      'All is done.',
    );
    expect(stage.api.faults).toEqual([]);
    expect(ledgerOf(stage.place.project).report.status).toBe('completed');
    const lines = window.record().filter((line) => line.includes(' says: '));
    expect(lines.map((line) => line.replaceAll(/\s+/g, ' ').trim()).toSorted()).toEqual([
      '⎿ UserPromptSubmit says: 1.1 completed, verified: 1 file +1 −0',
      '⎿ UserPromptSubmit says: 1.2 completed, verified: 1 file +1 −0',
      '⎿ UserPromptSubmit says: wave-1:review LOW: "go-on"',
    ]);
    const last = textOf(stage.mainRequests().at(-1));
    const told = [...last.matchAll(/hook additional context: (.*)/g), ...last.matchAll(/<result>([^]*?)<\/result>/g)];
    const characters = told.reduce((sum, [, text = '']) => sum + text.length, 0);
    // Three delegations.
    expect(characters / 3).toBeGreaterThan(30);
    expect(characters / 3).toBeLessThanOrEqual(400);
  });

  it('running agents are not forgotten in a compaction', async () => {
    const gate = held();
    const stage = await open((project) => ({
      main: [mainThat({ 'Begin.': conductPlan })],
      subagents: [worker(project, 3000, gate.wait), reviewer(project)],
    }));
    const window = await stage.interactive('--allowedTools', toolOf('run'));
    await window.tell('Begin.');
    await window.shows('I wait.');
    await untilRunning(stage, 2);
    const before = eventsOf(stage.place.project).length;
    await window.tell('/compact');
    await window.shows('Compacted');
    expect(stage.compactions().length).toBeGreaterThan(0);
    // An agent ends that no one has seen begin: the one that compacts.
    expect(eventsOf(stage.place.project)).toHaveLength(before);
    gate.open();
    await showsAll(
      window,
      'Agent "1.1 Write the file of 1.1" finished',
      'Agent "1.2 Write the file of 1.2" finished',
      'All is done.',
    );
    const told = stage.mainRequests().filter((request) => textOf(request).includes('SessionStart hook additional'));
    expect(textOf(told[0])).toMatch(/additional context: Divisi run \S+ [^\n]* Running: 1\.\d, 1\.\d\./);
    expect(eventsOf(stage.place.project, 'delegation.started')).toHaveLength(3);
  });

  it('a conversation that is cleared lets go of its run, and takes it up by name', async () => {
    let isBack = false;
    const wait = async (): Promise<void> => {
      if (!isBack) await held().wait();
    };
    const stage = await open((project) => ({
      main: [
        mainThat({
          'Begin.': conductPlan,
          'Look.': call('Read', { file_path: `${project}/src/known.txt` }),
          'the word `resume`': call(toolOf('run'), { resume: 'resume', here: true }),
        }),
      ],
      subagents: [worker(project, 3000, wait), reviewer(project)],
    }));
    const window = await stage.interactive('--allowedTools', toolOf('run'));
    await window.tell('Begin.');
    await window.shows('I wait.');
    await untilRunning(stage, 2);
    await window.tell('/clear');
    await window.tell('Look.');
    // The words before are still on the screen for a moment.
    const looked = (): unknown => stage.mainRequests().slice(-1).flatMap(exchangesIn);
    await expect
      .poll(looked, { timeout: 60_000 })
      .toMatchObject([{ result: expect.stringContaining('known') as string }]);
    await window.shows('I wait.');
    isBack = true;
    await window.tell('/divisi:resume --here');
    await showsAll(
      window,
      'Agent "1.1 Write the file of 1.1" finished',
      'Agent "1.2 Write the file of 1.2" finished',
      'All is done.',
    );
    expect(ledgerOf(stage.place.project).report.status).toBe('completed');
  });
});
