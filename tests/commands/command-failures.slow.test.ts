/** Failures of a command: nothing is marked as done. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readLedger } from '../../src/project/project-ledger.ts';
import {
  agentStarts,
  type Behaviours,
  taskListOf,
  commandProject,
  type CommandSample,
  give,
  lastPrompt,
  saidAbove,
  stateIn,
  statusIn,
  tellAgent,
  todoOf,
  uncommitted,
  viewCommits,
} from '../support/command-project.ts';
import { environment } from '../support/divisi.ts';
import { git, put } from '../support/git-project.ts';
import { roomsFolder } from '../support/rooms.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const newFolder = temporaryFolders();

const projectWith = (behave: Behaviours, more: CommandSample = {}): string =>
  commandProject(newFolder(), { behave, ...more });

interface LoggedError {
  readonly agent: string;
  readonly session: string;
  readonly violations: string[];
  readonly recommendation: string;
  readonly return: string;
}

function errorsOf(project: string): LoggedError[] {
  const file = join(project, '.divisi/errors.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as LoggedError[]) : [];
}

function runsOf(project: string): number {
  const ledger = readLedger(project);
  const { length } = ledger.runs();
  ledger.close();
  return length;
}

describe('a return that is not accepted', () => {
  it.each([
    ['of another agent', 'wrong-agent', 'agent-mismatch'],
    ['that is not JSON', 'never', 'no-return'],
    ['with another session', 'wrong-session', 'delegation-mismatch'],
    ['with too long a summary', 'long', 'too-long'],
    ['that names a file which is not there', 'phantom', 'artifact-missing'],
    ['that names an empty file', 'empty', 'artifact-empty'],
  ])('%s is asked for again, then logged', async (_, how, code) => {
    const project = projectWith({ '12 1': how });
    const before = git(project, 'rev-parse', 'HEAD');
    const { answer, report, events } = await give(project, 'research');
    expect(events.filter(({ kind }) => kind === 'return.refused')).toHaveLength(2);
    expect([answer.code, report.end, report.status]).toEqual([1, 'invalid', 'not started']);
    const [error] = errorsOf(project);
    expect(error).toMatchObject({ command: 'research', agent: 'researcher', task: 12, run: report.run });
    expect(error?.violations.join()).toContain(code);
    expect(error?.recommendation).toContain('Fix researcher');
    expect(existsSync(error?.return ?? '')).toBe(true);
    expect(answer.text).toContain(`12 by researcher, session ${error?.session}:`);
    expect([statusIn(project), stateIn(project), git(project, 'rev-parse', 'HEAD')]).toEqual([
      'NOT STARTED',
      'not_started',
      before,
    ]);
  });

  it('is logged at once where the agent cannot be asked again, and the next command continues its work', async () => {
    const project = projectWith({ '12 1': 'never' }, { hasRepair: false });
    expect((await give(project, 'research')).report.end).toBe('invalid');
    const { report } = await give(project, 'research');
    expect([report.end, statusIn(project), errorsOf(project).length]).toEqual(['completed', 'RESEARCHED', 1]);
    expect(agentStarts(project)).toEqual(['12 1 researcher', '12 2 researcher']);
  });

  it.each([
    ['research', 'stray', 'outside-scope'],
    ['research', 'meddle', 'forbidden'],
    ['implement', 'meddle', 'forbidden'],
  ] as const)('is rejected where %s has changed what it may not: %s', async (command, how, finding) => {
    const project = projectWith({ '12 1': how });
    const { answer, report } = await give(project, command);
    expect([answer.code, report.end, report.trouble?.class]).toEqual([1, 'invalid', 'verification-failed']);
    expect(errorsOf(project)[0]?.violations.join()).toContain(finding);
    expect([statusIn(project), existsSync(join(project, 'stray.txt'))]).toEqual(['NOT STARTED', false]);
    expect(readFileSync(join(project, 'TODO.md'), 'utf8')).not.toContain('All done.');
    // Its work is kept: the next attempt gets the findings.
    tellAgent(project, { '12 2': 'fix' });
    expect((await give(project, command)).report).toMatchObject({ run: report.run, end: 'completed' });
    expect(lastPrompt(project)).toContain('about attempt 1: ');
  });

  it('is a plan without phases', async () => {
    const project = projectWith({ '12 1': 'formless' });
    const { report } = await give(project, 'plan');
    expect([report.end, statusIn(project)]).toEqual(['invalid', 'NOT STARTED']);
    expect(errorsOf(project)[0]?.violations.join()).toContain('no-phases');
  });

  it('is measured by one contract, also where the agent has another', async () => {
    const project = projectWith({}, { config: 'commands:\n  research: { agent: worker }\n' });
    const { report } = await give(project, 'research');
    expect([report.end, report.agents]).toEqual(['completed', ['worker']]);
  });

  it('is not logged once it was repaired', async () => {
    const project = projectWith({ '12 1': 'prose' });
    const { answer, report } = await give(project, 'research');
    expect([answer.code, report.end, errorsOf(project)]).toEqual([0, 'completed', []]);
    expect(report.degraded).toContain('repaired');
  });
});

describe('what an agent says about itself', () => {
  it.each([
    ['blocked', 1, 'BLOCKED'],
    ['partial', 3, 'PARTIAL'],
    ['failed', 1, 'NOT STARTED'],
  ])('%s', async (how, code, status) => {
    const project = projectWith({ '12 1': how });
    const { answer, report } = await give(project, 'research');
    expect([answer.code, report.end, statusIn(project)]).toEqual([code, how, status]);
    expect(errorsOf(project)).toMatchObject([{ command: 'research', task: 12, violations: [expect.any(String)] }]);
    expect(answer.text).toContain('the key is missing');
    expect(answer.text).toContain('the agent recommends: add it');
    expect(report.trouble?.errors).toEqual([
      { type: 'execution', message: 'the key is missing', recoverable: true, recommendation: 'add it' },
    ]);
    const room = join(roomsFolder(project), report.run.slice(-8), '12');
    expect(report.artifacts).toEqual([join(room, '.divisi/specs/12_add_a_login/reports/research-001.md')]);
    expect(taskListOf(project)?.artifacts).toEqual([]);
    tellAgent(project, {});
    expect((await give(project, 'research')).report.status).toBe('researched');
    // A failed attempt starts over as a new run; the others continue with the account of the one before.
    expect(lastPrompt(project).includes('the key is missing')).toBe(how !== 'failed');
  });
});

describe('what is refused before anything is delegated', () => {
  it.each([
    ['an unknown number', 'research', { number: 999 }, 'TASK_UNKNOWN', 'task 999 is not in TODO.md'],
    ['what may not follow', 'revise', {}, 'TASK_TRANSITION', 'is not started and cannot become revising'],
    ['more time than there is', 'research', { timeout: 7201 }, 'DELEGATION_REFUSED', 'a deadline of 7201 seconds'],
  ] as const)('%s', async (_, command, request, code, message) => {
    const project = projectWith({});
    await expect(give(project, command, request)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
    expect([agentStarts(project), runsOf(project), statusIn(project)]).toEqual([[], 0, 'NOT STARTED']);
  });

  it('a plan of which every phase is done', async () => {
    const plan = '.divisi/specs/12_add_a_login/plans/implementation-001.md';
    const files = { 'TODO.md': todoOf('general', 'PLANNED'), [plan]: '## Phase 1: All of it [COMPLETED]\n' };
    const project = projectWith({}, { files });
    await expect(give(project, 'implement')).rejects.toMatchObject({ code: 'PLAN_FINISHED' });
  });

  it('a folder that git ignores', async () => {
    const project = projectWith({}, { files: { 'TODO.md': todoOf(), '.gitignore': '.divisi\n' } });
    await expect(give(project, 'research')).rejects.toMatchObject({ code: 'TASK_FILES_UNUSABLE' });
  });
});

/** A confined agent cannot reach the ledger. The config is in the home folder, where the command that the agent gives finds it too. */
function free(project: string): { readonly environment: NodeJS.ProcessEnv } {
  const home = dirname(project);
  put(home, { '.config/divisi/config.yaml': 'confine: { mode: off }\n' });
  return { environment: { ...environment(home), XDG_CONFIG_HOME: undefined } };
}

describe('a command that an unconfined agent gives', () => {
  it('continues the delegation path', async () => {
    const project = projectWith({ '12 1': 'above research 13' });
    const { report } = await give(project, 'implement', {}, free(project));
    expect(report.end).toBe('completed');
    expect(saidAbove(project)).toMatch(/13 researched: Write it down[^]*\n0\n$/);
    const ledger = readLedger(project);
    const [inner] = ledger.runs();
    const events = inner === undefined ? [] : [...ledger.read(inner.run)];
    ledger.close();
    const path = events.flatMap((one) => (one.kind === 'delegation.registered' ? [one.path] : []));
    expect(path).toEqual([['orchestrator', 'implement', 'implementer', 'researcher']]);
  });

  it('is refused where it would be a cycle', async () => {
    const project = projectWith({ '12 1': 'above research 13' });
    await give(project, 'research');
    expect(saidAbove(project)).toContain('researcher appears twice, a cycle: orchestrator → research → researcher');
    expect([saidAbove(project).trimEnd().endsWith('\n2'), runsOf(project)]).toEqual([true, 1]);
  });

  it('is refused beyond the third agent', async () => {
    const more = [14, 15].map((number) => `\n### ${number}. More\n- **Status**: [NOT STARTED]\n`);
    const behave = { '12 1': 'above research 13', '13 1': 'above plan 14', '14 1': 'above review 15' };
    const project = projectWith(behave, { files: { 'TODO.md': todoOf() + more.join('') } });
    await give(project, 'implement', {}, free(project));
    expect(saidAbove(project, '14')).toContain('depth 4 is more than 3');
    expect(saidAbove(project, '14')).toContain('implementer → researcher → planner → reviewer');
    expect([statusIn(project, 'TODO.md', 14), runsOf(project)]).toEqual(['PLANNED', 3]);
  });

  it('counts as one agent where the marker is unknown', async () => {
    const project = projectWith({});
    const marked = {
      PATH: process.env['PATH'],
      DIVISI_RUN: 'run_x',
      DIVISI_DELEGATION: 'sess_x',
      DIVISI_AGENT: 'worker',
    };
    const { events } = await give(project, 'research', {}, { environment: { ...marked, HOME: project } });
    const [path] = events.flatMap((one) => (one.kind === 'delegation.registered' ? [one.path] : []));
    expect(path).toEqual(['orchestrator', 'run', 'worker', 'researcher']);
  });
});

describe('two commands about one task', () => {
  it('are one where they are given in the same moment', async () => {
    const project = projectWith({});
    const both = await Promise.allSettled([give(project, 'research'), give(project, 'research')]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'RUN_UNFINISHED' } });
    expect([agentStarts(project).length, runsOf(project), viewCommits(project).length]).toEqual([1, 1, 1]);
  });

  it('do not run at the same time', async () => {
    const project = projectWith({ '12 1': 'hang' });
    let stop = (): void => undefined;
    const stopping = new Promise<void>((resolve) => {
      stop = resolve;
    });
    let refused: unknown;
    const first = give(
      project,
      'research',
      {},
      {
        controls: (controls) => void stopping.then(() => controls.stop('pause')),
        seen: (event) => {
          if (event.kind !== 'delegation.started') return;
          void give(project, 'plan')
            .catch((error: unknown) => {
              refused = error;
            })
            .then(stop);
        },
      },
    );
    expect((await first).answer.code).toBe(3);
    expect(refused).toMatchObject({ code: 'RUN_UNFINISHED', message: expect.stringContaining('research, run_') });
    // Nothing is ended for a command that is refused.
    await expect(give(project, 'revise')).rejects.toMatchObject({ code: 'TASK_TRANSITION' });
    // The one that was paused is ended on record, and its task is what it was.
    tellAgent(project, {});
    expect((await give(project, 'plan')).report).toMatchObject({ status: 'planned' });
    const ledger = readLedger(project);
    expect(ledger.runs().map(({ status }) => status)).toEqual(['completed', 'cancelled']);
    ledger.close();
    expect([viewCommits(project), uncommitted(project)]).toEqual([['12 planned: Add a login'], []]);
  });
});
