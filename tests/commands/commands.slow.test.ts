/** Each command from its first word to its commit, with a real agent process and real git. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandStages } from '../../src/core/event/workflow-step.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { ledgerFile, stateFolder } from '../../src/workspace/places.ts';
import { briefSize } from '../../src/views/command/command-brief.ts';
import {
  agentStarts,
  taskListOf,
  commandProject,
  give,
  lastPrompt,
  stateIn,
  statusIn,
  todoOf,
  uncommitted,
  viewCommits,
  write,
} from '../support/command-project.ts';
import type { RunEvent } from '../../src/core/event/event.ts';
import { commitAll, git } from '../support/git-project.ts';
import { shapeOf } from '../support/shape.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { divisi } from '../support/divisi.ts';

const newFolder = temporaryFolders();
const folder = '.divisi/specs/12_add_a_login';
const textIn = (project: string, path: string): string => readFileSync(join(project, path), 'utf8');

describe('a backlog task', () => {
  it('is researched, planned, revised, implemented phase by phase, and reviewed', { timeout: 60_000 }, async () => {
    const project = commandProject(newFolder());

    const research = await give(project, 'research', { prompt: 'Look at both.' });
    expect(research.answer.code).toBe(0);
    expect(research.answer.text).toBe(
      [
        '12 researched: Add a login',
        'Did what 12 asks for.',
        `artifacts: ${folder}/reports/research-001.md`,
        `commit: ${git(project, 'rev-parse', 'HEAD')}`,
        'next: divisi plan 12',
      ].join('\n'),
    );
    expect(research.answer.text.length).toBeLessThanOrEqual(briefSize);
    expect(lastPrompt(project)).toContain('The person adds:\nLook at both.');
    expect(research.events.flatMap((one) => (one.kind === 'stage.reached' ? [one.stage] : []))).toEqual(commandStages);
    expect(research.events.flatMap((one) => (one.kind === 'postflight.done' ? [[one.fact, one.done]] : []))).toEqual([
      ['sync', true],
      ['todo', true],
      ['state', true],
      ['commit', true],
    ]);
    expect([statusIn(project), stateIn(project), taskListOf(project)?.status]).toEqual([
      'RESEARCHED',
      'researched',
      'researched',
    ]);

    const plan = await give(project, 'plan');
    expect(plan.report).toMatchObject({ end: 'completed', status: 'planned', next: ['divisi implement 12'] });
    expect(lastPrompt(project)).toContain(`> # Report on 12`);

    await give(project, 'revise', { prompt: 'Less of it.' });
    expect(statusIn(project)).toBe('REVISED');
    expect(existsSync(join(project, folder, 'plans/implementation-002.md'))).toBe(true);

    const implement = await give(project, 'implement');
    expect(implement.report).toMatchObject({ status: 'completed', phases: { done: ['12.1', '12.2'], open: [] } });
    expect(textIn(project, 'work.txt')).toBe('12.1\n12.2\n');
    expect(textIn(project, `${folder}/plans/implementation-002.md`)).toContain('## Phase 2: Write [COMPLETED]\n');

    const review = await give(project, 'review');
    expect(review.report).toMatchObject({ end: 'completed', status: 'completed', agents: ['reviewer'] });

    expect(agentStarts(project)).toEqual([
      '12 1 researcher',
      '12 1 planner',
      '12 1 reviser',
      '12.1 1 task-executor',
      '12.2 1 task-executor',
      '12 1 reviewer',
    ]);
    expect(viewCommits(project).toReversed()).toEqual([
      '12 researched: Add a login',
      '12 planned: Add a login',
      '12 revised: Add a login',
      '12 completed: Add a login',
      '12 reviewed: Add a login',
    ]);
    expect(uncommitted(project)).toEqual([]);
    expect(textIn(project, 'TODO.md')).toContain('Written by hand.');
    expect(textIn(stateFolder(project), 'sessions.jsonl').trimEnd().split('\n')).toHaveLength(5);
    expect(taskListOf(project)?.artifacts.map(({ type, path }) => `${type} ${path.slice(folder.length + 1)}`)).toEqual([
      'report reports/research-001.md',
      'plan plans/implementation-001.md',
      'plan plans/implementation-002.md',
      'summary summaries/implementation-summary-001.md',
      'summary summaries/implementation-summary-002.md',
      'report reports/review-001.md',
    ]);
  });

  it('is implemented as one task where it has no plan', async () => {
    const project = commandProject(newFolder());
    const { report } = await give(project, 'implement');
    expect([report.status, report.phases, agentStarts(project)]).toEqual([
      'completed',
      undefined,
      ['12 1 implementer'],
    ]);
  });

  it('leaves what is not its own alone: staged and changed files, and a merge that is in progress', async () => {
    const project = commandProject(newFolder(), { files: { 'TODO.md': todoOf(), 'a.txt': 'a\n', 'b.txt': 'b\n' } });
    const change = (path: string): void => write(project, path, 'changed\n');
    change('a.txt');
    git(project, 'add', 'a.txt');
    change('b.txt');
    await give(project, 'research');
    expect(uncommitted(project)).toEqual(['M  a.txt', ' M b.txt']);
    git(project, 'update-ref', 'MERGE_HEAD', 'HEAD');
    const { report, answer } = await give(project, 'plan');
    expect(report).toMatchObject({ end: 'partial', status: 'partial' });
    expect(report.undone).toMatchObject([{ fact: 'commit', why: expect.stringContaining('a merge is in progress') }]);
    expect([answer.code, statusIn(project)]).toEqual([3, 'PARTIAL']);
    expect(answer.text).toContain(`divisi merge ${report.run}`);
    // No other command runs on the task until that is settled.
    await expect(give(project, 'implement')).rejects.toMatchObject({ code: 'RUN_UNFINISHED' });
    git(project, 'update-ref', '-d', 'MERGE_HEAD');
    const starts = agentStarts(project).length;
    const again = await give(project, 'plan');
    expect(again.report).toMatchObject({ run: report.run, end: 'completed', status: 'planned', undone: [] });
    expect([statusIn(project), agentStarts(project).length]).toEqual(['PLANNED', starts]);
    expect(uncommitted(project)).toEqual(['M  a.txt', ' M b.txt']);
  });
});

describe('changes by a person while a command runs', () => {
  it('counts: a task that was blocked stays so, with what was found out for it', async () => {
    const project = commandProject(newFolder());
    const block = (event: RunEvent): void => {
      if (event.kind !== 'delegation.started') return;
      const ledger = openLedger(ledgerFile(project));
      ledger.taskList.change(12, { status: 'blocked', reason: 'wait for legal' }, { by: 'person' });
      ledger.close();
    };
    await give(project, 'research', {}, { seen: block });
    expect(taskListOf(project)).toMatchObject({ status: 'blocked', reason: 'wait for legal' });
    expect(taskListOf(project)?.artifacts).toHaveLength(1);
    expect(statusIn(project)).toBe('BLOCKED');
  });
});

describe('two backlog tasks', () => {
  it('run in parallel, and each is merged', async () => {
    const project = commandProject(newFolder());
    const both = await Promise.all([give(project, 'research'), give(project, 'research', { number: 13 })]);
    expect(both.map(({ report }) => [report.status, report.undone])).toEqual([
      ['researched', []],
      ['researched', []],
    ]);
    expect([statusIn(project), statusIn(project, 'TODO.md', 13)]).toEqual(['RESEARCHED', 'RESEARCHED']);
    expect(uncommitted(project)).toEqual([]);
  });
});

describe('a checkout that has gone elsewhere meanwhile', () => {
  it('gets nothing of the work that the command began from', async () => {
    const project = commandProject(newFolder());
    git(project, 'branch', 'other');
    write(project, 'a.txt', 'a\n');
    commitAll(project, 'Not on the other branch');
    const away = (event: RunEvent): void => {
      if (event.kind === 'delegation.started') git(project, 'checkout', '--quiet', '--force', 'other');
    };
    const { report } = await give(project, 'research', {}, { seen: away });
    expect(report.undone).toMatchObject([
      { fact: 'commit', why: expect.stringContaining('it started from a commit that') },
    ]);
    expect(existsSync(join(project, 'a.txt'))).toBe(false);
  });
});

describe('routing', () => {
  it.each([
    ['lean by TODO.md', { 'TODO.md': todoOf('lean') }, {}, 'lean-research-agent'],
    ['any other language', { 'TODO.md': todoOf('rust') }, {}, 'researcher'],
    ['the language that was asked for', { 'TODO.md': todoOf('rust') }, { language: 'lean' }, 'lean-research-agent'],
    [
      'a command file',
      {
        'TODO.md': todoOf(),
        '.claude/commands/research.md':
          '---\nrouting: { language_based: false, target_agent: planner }\n---\nResearch.\n',
      },
      {},
      'planner',
    ],
  ])('%s', async (_, files, request, expected) => {
    const project = commandProject(newFolder(), { files });
    const { report, events } = await give(project, 'research', request);
    expect([report.agents, report.end]).toEqual([[expected], 'completed']);
    const why = events.flatMap((one) => (one.kind === 'stage.reached' && one.stage === 'routing' ? [one.note] : []));
    expect(why).toEqual([expect.stringContaining(expected)]);
  });
});

describe('a project that has its tasks in .claude/specs', () => {
  it('keeps them there', async () => {
    const specs = '.claude/specs';
    const project = commandProject(newFolder(), {
      files: {
        [`${specs}/TODO.md`]: todoOf(),
        [`${specs}/state.json`]: JSON.stringify({
          next_project_number: 14,
          mine: true,
          active_projects: [
            { project_number: 12, project_name: 'add_a_login', status: 'not_started', language: 'general', own: 1 },
            { project_number: 13, project_name: 'write_it_down', status: 'not_started', language: 'markdown' },
          ],
        }),
        [`${specs}/12_older_name/state.json`]: '{ "task_number": 12, "language": "lean" }\n',
      },
    });
    const { report } = await give(project, 'research');
    expect(report).toMatchObject({
      agents: ['lean-research-agent'],
      artifacts: [`${specs}/12_older_name/reports/research-001.md`],
    });
    expect([statusIn(project, `${specs}/TODO.md`), stateIn(project, `${specs}/state.json`)]).toEqual([
      'RESEARCHED',
      'researched',
    ]);
    expect(JSON.parse(textIn(project, `${specs}/state.json`))).toMatchObject({ mine: true, next_project_number: 14 });
    expect(existsSync(join(project, 'TODO.md'))).toBe(false);
    expect(uncommitted(project)).toEqual([]);
  });
});

describe('a folder outside a repository', () => {
  it('gets the files, and the result says there is no commit', async () => {
    const project = commandProject(newFolder(), { hasGit: false });
    const { report, answer } = await give(project, 'research');
    expect([answer.code, report.status]).toEqual([0, 'researched']);
    expect(textIn(project, `${folder}/reports/research-001.md`)).toBe('# Report on 12\n');
    expect(report.undone).toEqual([{ fact: 'commit', why: 'the project is not a git repository' }]);
  });
});

describe('the command line', () => {
  it('gives a command, says what would be given, and answers as JSON', async () => {
    const project = commandProject(newFolder());
    const dry = await divisi(['research', '12', '--dry-run'], { cwd: project });
    expect([dry.code, dry.stdout]).toEqual([0, expect.stringContaining('12 by researcher, at most 3600 s')]);
    expect(agentStarts(project)).toEqual([]);
    const given = await divisi(['research', '12', 'both', 'of them', '--json'], { cwd: project });
    expect(given).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(given.stdout)).toMatchObject({ command: 'research', number: 12, status: 'researched' });
    expect(shapeOf(JSON.parse(given.stdout))).toEqual({
      command: 'string',
      number: 'number',
      title: 'string',
      run: 'string',
      end: 'string',
      status: 'string',
      agents: ['string'],
      sessions: ['string'],
      summary: 'string',
      artifacts: ['string'],
      commit: 'string',
      undone: [],
      degraded: [],
      next: ['string'],
    });
    const plan = await divisi(['plan', '12'], { cwd: project });
    expect([plan.code, plan.stdout]).toEqual([0, expect.stringContaining('\n12 planned: Add a login\n')]);
  });
});
