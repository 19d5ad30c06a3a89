/** Errors of the orchestrator design: their place in the answer, in the account for the next attempt, and in `.divisi/errors.json`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contractsByName, findContract } from '../../../src/contracts/registry.ts';
import { read } from '../../../src/contracts/read/read.ts';
import type { End, RunEvent } from '../../../src/core/event/event.ts';
import { outcomeFrom, timeoutFailure } from '../../../src/core/event/make-outcome.ts';
import type { Outcome } from '../../../src/core/event/outcome.ts';
import type { Workflow } from '../../../src/core/event/workflow.ts';
import { logErrors } from '../../../src/project/error-log.ts';
import { accepted, refused } from '../../../src/reading/outcome.ts';
import { backlogTaskBrief } from '../../../src/views/brief/backlog-task-brief.ts';
import { commandBrief } from '../../../src/views/command/command-brief.ts';
import { commandReport } from '../../../src/views/command/command-report.ts';
import { runReport } from '../../../src/views/run/run-report.ts';
import { statusText } from '../../../src/views/run/status-text.ts';
import { sectionOf, withRecorded } from '../../../src/views/run/report-sections.ts';
import { give } from '../../support/command-project.ts';
import { makeRepository, put } from '../../support/git-project.ts';
import { aCommand, commandRun, type CommandRun } from '../../support/command-run.ts';
import { conflict, refusal, startedRunOf, verify } from '../../support/settling.ts';
import { advance, end } from '../../support/state-of.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';
import { stateFolder } from '../../../src/workspace/places.ts';

const newFolder = temporaryFolders();
const contract = findContract(contractsByName(), 'structured-return');

/** A return as the document writes it, read under its contract. */
function returned(values: object, session = 'sess_1735460684_a1b2c3'): Outcome {
  const reading = read(contract, JSON.stringify(values), { delegationId: session });
  return reading.ok
    ? accepted(contract, reading.result, { repairs: 0 })
    : refused(reading, { repairs: 0 }, 'the driver cannot ask again');
}

interface Ended {
  readonly project: string;
  readonly run: CommandRun;
}

/** Lets one attempt of a run end this way, and logs its errors. */
async function endedWith(outcome: Outcome, end: End = 'returned', workflow?: Workflow): Promise<Ended> {
  const project = newFolder({ '.divisi/config.yaml': '' });
  const run = commandRun(project, workflow === undefined ? {} : { workflow });
  const delegation = run.advance();
  if (delegation === undefined) throw new Error('nothing was delegated');
  run.say({ kind: 'delegation.ended', delegation, task: '1', end, outcome });
  await logErrors({ project, environment: process.env }, run.state, run.state.tasks.values());
  run.release();
  return { project, run };
}

const errorsIn = ({ project }: Pick<Ended, 'project'>): unknown =>
  JSON.parse(readFileSync(join(project, '.divisi/errors.json'), 'utf8'));

const failedResearch = {
  status: 'failed',
  summary: 'Research failed due to network timeout when accessing LeanSearch API. No research artifacts created.',
  artifacts: [],
  metadata: {
    session_id: 'sess_1735460684_xyz789',
    duration_seconds: 30,
    agent_type: 'lean-research-agent',
    delegation_depth: 1,
    delegation_path: ['orchestrator', 'research', 'lean-research-agent'],
  },
  errors: [
    {
      type: 'timeout',
      message: 'LeanSearch API request timed out after 30s',
      recoverable: true,
      recommendation: 'Check network connection and retry with /research 245',
    },
  ],
  next_steps: 'Retry after checking network connection',
};

describe('Agent Errors', () => {
  it("answers the agent's errors with its recommendation and its next steps", async () => {
    const outcome = returned(failedResearch, 'sess_1735460684_xyz789');
    const ended = await endedWith(outcome, 'returned', aCommand({ number: 245 }));
    const report = commandReport(ended.run.state);
    expect(report.trouble?.errors).toEqual(failedResearch.errors);
    expect(report.nextSteps).toBe(failedResearch.next_steps);
    const text = commandBrief(report);
    expect(text).toContain('the agent recommends: Check network connection and retry with /research 245');
    expect(text).toContain('the agent suggests: Retry after checking network connection');
    const brief = backlogTaskBrief(ended.run.state);
    expect(brief).toContain('<recommends>Check network connection and retry with /research 245</recommends>');
    expect(brief).toContain('<next-steps>Retry after checking network connection</next-steps>');
    const sections = withRecorded('{}', outcome);
    expect(sectionOf(sections, 'errors', 'r.md')).toBe(
      '## Errors\n\n- timeout error: LeanSearch API request timed out after 30s; the agent recommends: Check network connection and retry with /research 245\n',
    );
    expect(sectionOf(sections, 'next_steps', 'r.md')).toBe(
      '## Next steps\n\n- Retry after checking network connection\n',
    );
    expect(errorsIn(ended)).toEqual([
      expect.objectContaining({
        command: 'research',
        task: 245,
        type: 'timeout',
        recoverable: true,
        errors: failedResearch.errors,
        nextSteps: failedResearch.next_steps,
        recommendation: expect.stringContaining('divisi research 245'),
      }),
    ]);
  });
});

describe('Agent Errors', () => {
  it('Plan already exists at path/to/plan.md', async () => {
    const message = 'Plan already exists at path/to/plan.md';
    const error = { type: 'execution', message, recoverable: false, recommendation: 'Run /revise 244' };
    const metadata = { ...failedResearch.metadata, agent_type: 'planner' };
    const outcome = returned({ ...failedResearch, metadata, errors: [error] }, 'sess_1735460684_xyz789');
    const ended = await endedWith(outcome, 'returned', aCommand({ command: 'plan', number: 244 }));
    expect(commandBrief(commandReport(ended.run.state))).toContain(message);
    expect(errorsIn(ended)).toMatchObject([{ command: 'plan', task: 244, errors: [error], recoverable: false }]);
  });
});

describe('Validation Errors', () => {
  // In the words of the command line, with the file that was looked into: "Task 999 not found in TODO.md".
  it('are answered before anything is delegated', async () => {
    const project = join(newFolder(), 'project');
    put(project, { 'TODO.md': '### 244. Implement feature X\n- **Status**: [NOT STARTED]\n' });
    makeRepository(project);
    const events: RunEvent[] = [];
    const given = give(project, 'research', { number: 999 }, { seen: (event) => events.push(event) });
    await expect(given).rejects.toMatchObject({ code: 'TASK_UNKNOWN', message: 'task 999 is not in TODO.md' });
    expect(events).toEqual([]);
  });
});

describe('Timeout Errors', () => {
  it('answers partial, with the seconds and the error of the document', async () => {
    const outcome = outcomeFrom({ status: 'partial', failure: timeoutFailure(7200), left: ['src/module_a.lean'] });
    const workflow = aCommand({ command: 'implement', number: 191 });
    const ended = await endedWith(outcome, 'timed-out', workflow);
    const report = commandReport(ended.run.state);
    expect([report.end, report.trouble?.left]).toEqual(['partial', ['src/module_a.lean']]);
    expect(report.trouble?.errors).toMatchObject([
      { type: 'timeout', recoverable: true, recommendation: expect.stringContaining('divisi implement 191 continues') },
    ]);
    expect(report.trouble?.violations).toEqual(['timed out after 7200 s; the files it left are kept']);
    expect(errorsIn(ended)).toMatchObject([{ type: 'timeout', left: ['src/module_a.lean'] }]);
    const status = statusText(runReport(ended.run.state), 0);
    expect(status).toMatch(/timed out after 7200 s; the files it left are kept\n {6}files left: src\/module_a\.lean$/m);
  });
});

describe('Validation Failure Handling', () => {
  const cases: readonly (readonly [string, Outcome, End, object])[] = [
    ['a refused return', returned({ status: 'done' }), 'returned', { type: 'contract-violation', recoverable: true }],
    [
      'a timeout',
      outcomeFrom({ status: 'partial', failure: timeoutFailure(3600) }),
      'timed-out',
      { type: 'timeout', violations: ['timed out after 3600 s; the files it left are kept'], recoverable: true },
    ],
    [
      'a blocked agent',
      outcomeFrom({ status: 'blocked', failure: { class: 'unclear', message: 'no access to the registry' } }),
      'returned',
      { type: 'unclear', violations: ['no access to the registry'], recoverable: true },
    ],
  ];

  it.each(cases)('logs %s of a plan and of a command', async (_, outcome, end, entry) => {
    const ofPlan = errorsIn(await endedWith(outcome, end));
    expect(ofPlan).toEqual([expect.objectContaining({ command: 'run', task: '1', ...entry })]);
    const ofCommand = errorsIn(await endedWith(outcome, end, aCommand({ number: 12 })));
    expect(ofCommand).toEqual([expect.objectContaining({ command: 'research', task: 12, ...entry })]);
  });

  it('logs work that verification rejects, and work that conflicts with other work', async () => {
    const project = newFolder({ '.divisi/config.yaml': '' });
    const state = startedRunOf([[{ id: '1.1' }, { id: '1.2' }]]);
    for (const id of ['1.1', '1.2']) end(state, id, 'completed');
    verify(state, '1.1', refusal('src/b.ts is not in the scope of the task'));
    verify(state, '1.2');
    advance(state);
    conflict(state);
    await logErrors({ project, environment: process.env }, state, state.tasks.values());
    expect(errorsIn({ project })).toMatchObject([
      { task: '1.1', type: 'verification-failed', violations: ['src/b.ts is not in the scope of the task'] },
      { task: '1.2', type: 'conflict', violations: [expect.stringContaining('src/a.ts')] },
    ]);
    // `divisi resume` continues from both, so both are recoverable.
    expect(errorsIn({ project })).toMatchObject([{ recoverable: true }, { recoverable: true }]);
  });

  it('keeps the original return for debugging, and says whose format to fix', async () => {
    const ended = await endedWith(returned({ status: 'done' }), 'returned', aCommand());
    const [delegation] = ended.run.state.tasks.values().map(({ attempt }) => attempt?.delegation);
    expect(errorsIn(ended)).toMatchObject([
      {
        agent: 'researcher',
        session: delegation,
        return: join(stateFolder(ended.project), `runs/${ended.run.run}/returns/${delegation}.txt`),
        recommendation: expect.stringContaining('Fix researcher'),
      },
    ]);
  });

  it('logs an attempt once', async () => {
    const ended = await endedWith(returned({ status: 'done' }));
    await logErrors(
      { project: ended.project, environment: process.env },
      ended.run.state,
      ended.run.state.tasks.values(),
    );
    expect(errorsIn(ended)).toHaveLength(1);
  });
});
