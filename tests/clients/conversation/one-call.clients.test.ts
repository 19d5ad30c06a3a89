/** A whole run as one call of a tool, in the real client: what enters the conversation, and what happens when it is killed. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { gitIn, gitProject } from '../../support/committed-project.ts';
import { ledgerOf, planText, type SampleProject, startsOf } from '../../support/project.ts';
import { startDivisi } from '../../support/running.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';
import { hasTmux } from '../../support/terminal.ts';
import { until } from '../../support/until.ts';
import type { ModelRequest } from '../model-api/script.ts';
import { call, type Cast, say } from './actors.ts';
import { exchangesIn } from './captured.ts';
import { openStage, type Stage, versions } from './stage.ts';
import { toolOf, withDivisi } from './divisi-here.ts';
import { ledgerFile } from '../../../src/workspace/places.ts';

const temporary = temporaryFolders();
const allowed = ['--allowedTools', toolOf('run'), toolOf('answer')];
const runPlan = call(toolOf('run'), { plan: 'plan.md' });

const words = (...argv: readonly string[]): string => JSON.stringify(argv);

/** The project's own agents: a plan that a model names brings none along. */
const config = `grace: 1
driver: own
drivers:
  own:
    kind: command
    argv: ${words(process.execPath, 'worker.mjs')}
    review: ${words('sh', 'review.sh', process.execPath)}
`;

function plainProject({ files = {}, ...sample }: SampleProject): string {
  const plan = planText(sample).replaceAll(/^- (?:Command|Repair|Review): .*\n/gm, '');
  return gitProject(temporary, { ...sample, files: { 'plan.md': plan, '.divisi/config.yaml': config, ...files } });
}

/** The results of our tools, in the order of the calls. */
const answersIn = (request: ModelRequest | undefined): readonly (string | undefined)[] =>
  request === undefined ? [] : exchangesIn(request).map(({ result }) => result);

describe.each(versions)('%s', (version) => {
  let stages: Stage[] = [];
  afterEach(async () => {
    await Promise.all(stages.map(({ close }) => close()));
    stages = [];
  });

  async function open(cast: Cast, sample: SampleProject): Promise<Stage> {
    const project = plainProject(sample);
    const stage = await openStage(cast, { ...withDivisi(temporary()), project, version });
    stages.push(stage);
    return stage;
  }

  it('six tasks come back in a few hundred characters', async () => {
    const report = 'Wrote it.\n\n## Decisions\n'.padEnd(12_000, '- It was done as it was planned.\n');
    const sample = {
      waves: [
        ['1.1', '1.2', '1.3', '1.4'],
        ['2.1', '2.2'],
      ],
      files: { 'summary.txt': report },
    };
    const stage = await open({ main: [runPlan, say('Done.')] }, sample);
    const { result } = await stage.headless('Go.', ...allowed).ended;
    expect(result).toMatchObject({ result: 'Done.', permission_denials: [] });
    const [first, second, ...others] = stage.mainRequests();
    expect(others).toEqual([]);
    const { run, status } = ledgerOf(stage.place.project).report;
    expect(answersIn(second)).toEqual([expect.stringContaining(`id="${run}" status="completed" completed="6/6"`)]);
    const added = first && second ? stage.charactersAdded(first, second, { frames: true }) : 0;
    expect(added).toBeGreaterThan(100);
    expect(added).toBeLessThanOrEqual(800);
    expect(status).toBe('completed');
    const files = gitIn(stage.place.project, 'ls-tree', '-r', '--name-only', `divisi/${run}`);
    expect(files.match(/^\d\.\d\.txt$/gm)).toHaveLength(6);
  });

  it('a killed client does not end the run, and learns of it when it is back', async () => {
    const sample = { waves: [['1.1'], ['2.1']], behave: { '1.1': 'hold' as const } };
    const stage = await open({ main: [runPlan, runPlan, say('Done.')] }, sample);
    const { project } = stage.place;
    const killed = stage.headless('Go.', ...allowed);
    await until(
      () => startsOf(project),
      (starts) => starts.length > 0,
    );
    killed.kill('SIGKILL');
    expect((await killed.ended).code).toBeNull();
    writeFileSync(join(project, 'go-on'), '');
    await until(
      () => ledgerOf(project).report.status,
      (status) => status === 'completed',
    );
    const { result } = await stage.headless('Go on.', ...allowed, '--resume', killed.session() ?? '').ended;
    expect(result).toMatchObject({ result: 'Done.', session_id: killed.session() });
    const { run } = ledgerOf(project).report;
    expect(answersIn(stage.mainRequests().at(-1)).at(-1)).toContain(`id="${run}" status="completed" completed="2/2"`);
    expect(startsOf(project)).toEqual(['1.1 1', '2.1 1']);
  });

  it('what asks a person is the brief where there is none; the answer continues it', async () => {
    const more = '## Checkpoints\n\n- [ ] After wave 1: are the colours right?';
    const stage = await open(
      {
        main: [
          runPlan,
          call(toolOf('answer'), { approve: true }),
          () => call(toolOf('run'), { resume: ledgerOf(stage.place.project).report.run }),
          say('Done.'),
        ],
      },
      { waves: [['1.1'], ['2.1']], more },
    );
    const { result } = await stage.headless('Go.', ...allowed).ended;
    expect(result['result']).toBe('Done.');
    expect(answersIn(stage.mainRequests().at(-1))).toEqual([
      expect.stringMatching(/status="paused"[^]*are the colours right\?/),
      expect.stringContaining('checkpoint-1 approved.'),
      expect.stringContaining('status="completed" completed="2/2"'),
    ]);
    expect(startsOf(stage.place.project)).toEqual(['1.1 1', '2.1 1']);
  });

  it('nothing runs without permission; typing the command gives it', async () => {
    const stage = await open({ main: [runPlan, say('Refused.'), runPlan, say('Done.')] }, {});
    const refused = await stage.headless('Go.').ended;
    expect(refused.result).toMatchObject({
      result: 'Refused.',
      permission_denials: [{ tool_name: toolOf('run') }],
    });
    expect(answersIn(stage.mainRequests()[1])[0]).toMatch(
      /requested permissions to use mcp__plugin_divisi_divisi__run/,
    );
    expect(existsSync(ledgerFile(stage.place.project))).toBe(false);
    const { result } = await stage.headless('/divisi:run plan.md').ended;
    expect(result).toMatchObject({ result: 'Done.', permission_denials: [] });
    expect(ledgerOf(stage.place.project).report.status).toBe('completed');
  });

  it('a conversation that is open during a run is not restricted', async () => {
    const known = call('Read', { file_path: 'worker.mjs' });
    const other = call('Agent', {
      description: 'look',
      prompt: 'marker-A',
      subagent_type: 'general-purpose',
      run_in_background: false,
    });
    const look = call('Bash', { command: 'ls plan.md', description: 'look' });
    const stage = await open(
      { main: [known, look, other, say('Done.')], subagents: [{ told: /^marker-A$/m, lines: [say('Said.')] }] },
      { behave: { '1.1': 'hold' } },
    );
    const { project } = stage.place;
    const running = startDivisi(['run', 'plan.md'], { cwd: project });
    await until(
      () => startsOf(project),
      (starts) => starts.length > 0,
    );
    const { result } = await stage.headless('Go.').ended;
    expect(result).toMatchObject({ result: 'Done.', permission_denials: [] });
    expect(answersIn(stage.mainRequests().at(-1))).toEqual([
      expect.stringContaining('import'),
      expect.stringContaining('plan.md'),
      expect.stringContaining('Said.'),
    ]);
    expect(ledgerOf(project).report.status).toBe('running');
    writeFileSync(join(project, 'go-on'), '');
    expect((await running.ended).code).toBe(0);
  });

  it.runIf(hasTmux)('what asks a person is a form where there is one, and the same call continues', async () => {
    const more = '## Checkpoints\n\n- [ ] After wave 1: are the colours right?';
    const stage = await open({ main: [runPlan, say('Done.')] }, { waves: [['1.1'], ['2.1']], more });
    const window = await stage.interactive();
    await window.tell('/divisi:run plan.md');
    await window.shows('are the colours right?');
    await window.shows('Accept');
    await after(300);
    const keys = { Down: '❯ Accept' };
    for (const [key, shown] of Object.entries(keys)) {
      window.press(key);
      await window.shows(shown);
      // It is drawn a moment before it listens.
      await after(300);
    }
    window.press('Enter');
    await window.shows('● Done.');
    const { project } = stage.place;
    expect(answersIn(stage.mainRequests().at(-1))).toEqual([
      expect.stringContaining('status="completed" completed="2/2"'),
    ]);
    const answers = ledgerOf(project).events.filter(({ kind }) => kind === 'checkpoint.answered');
    expect(answers).toMatchObject([{ approved: true, by: 'person' }]);
    expect(startsOf(project)).toEqual(['1.1 1', '2.1 1']);
  });
});
