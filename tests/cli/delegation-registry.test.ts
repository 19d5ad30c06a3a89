/** `divisi status --delegations`: what the ledger says is running, and how far commands are. */
import { outcomeFrom } from '../../src/core/event/make-outcome.ts';
import { expect, it } from 'vitest';
import { runReport } from '../../src/views/run/run-report.ts';
import { list } from '../../src/cli/look/list.ts';
import { delegations } from '../../src/cli/look/status-delegations.ts';
import type { Outcome } from '../../src/core/event/outcome.ts';
import type { PostflightFact } from '../../src/core/event/workflow-step.ts';
import type { Workflow } from '../../src/core/event/workflow.ts';
import type { RegistryRun } from '../../src/views/registry/delegation-registry.ts';
import { aCommand, type CommandRun, commandRun, goneHolder } from '../support/command-run.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { divisi } from '../support/divisi.ts';

const folder = temporaryFolders();
const hour = 3_600_000;

const look = (project: string, options: Parameters<typeof delegations>[1] = {}) => {
  const { json, text } = delegations(project, options) as { json: unknown; text: string };
  return { ...(json as { runs: RegistryRun[]; ended?: RegistryRun[] }), text };
};

const outcome = (status: Outcome['status']): Outcome => outcomeFrom({ status, summary: 'Found it.' });

function endAgent(command: CommandRun, status: Outcome['status'] = 'completed'): void {
  const delegation = command.advance();
  if (delegation === undefined) throw new Error('no delegation is running');
  command.say({ kind: 'delegation.ended', delegation, task: '1', end: 'returned', outcome: outcome(status) });
  command.advance();
}

function postflight(command: CommandRun, ...facts: readonly PostflightFact[]): void {
  for (const fact of facts) command.say({ kind: 'postflight.done', fact, done: true, note: '' });
}

it('says so where nothing is delegated', () => {
  expect(look(folder())).toMatchObject({ runs: [], text: 'no delegations are running' });
});

it('shows a command: who works on it, by which path, until when, at which stage', () => {
  const project = folder();
  const now = Date.now();
  const command = commandRun(project, { workflow: aCommand(), agent: 'lean-research-agent', now });
  const session = command.advance();
  const { runs, text } = look(project);
  expect(runs).toMatchObject([
    {
      run: command.run,
      command: 'research',
      number: 12,
      language: 'lean',
      status: 'running',
      delegations: [
        {
          session,
          run: command.run,
          command: 'research',
          agent: 'lean-research-agent',
          task: '1',
          number: 12,
          language: 'lean',
          path: ['orchestrator', 'research', 'lean-research-agent'],
          depth: 1,
          began: now,
          deadline: now + hour,
          status: 'running',
        },
      ],
      stages: {
        current: 'invocation',
        completed: ['parse', 'preflight', 'routing', 'context'],
        skipped: [],
        postflight: {
          syncInvoked: false,
          syncCompleted: false,
          todoUpdated: false,
          stateUpdated: false,
          commitCreated: false,
        },
      },
    },
  ]);
  expect(text).toContain(`research 12 [lean] Read the grammar, ${command.run}: running, for `);
  expect(text).toContain(', stage invocation (5 of 7)\n');
  expect(text).toContain('    orchestrator → research → lean-research-agent (depth 1)\n');
  expect(text).toMatch(/deadline 20\S+Z: 59 min \d+ s left\n|deadline 20\S+Z: 1 h 0 min left\n/);
  expect(text).toContain('  routing: by language\n  postflight: status sync not invoked, not completed, ');
  if (session === undefined) throw new Error('no delegation is running');
  command.say({ kind: 'return.refused', delegation: session, repair: 1, violations: [] });
  expect(look(project).runs[0]?.delegations[0]).toMatchObject({ status: 'repairing' });
  command.release();
});

it('says of a deadline that it has passed', () => {
  const project = folder();
  const command = commandRun(project, { workflow: aCommand(), now: Date.now() - hour - 125_000 });
  command.advance();
  const { runs, text } = look(project);
  expect(runs[0]?.delegations[0]?.left).toBeLessThan(0);
  expect(text).toMatch(/: overdue by 2 min \d+ s\n/);
  command.release();
});

it('shows what postflight has done, one fact after another, and why one was not done', () => {
  const project = folder();
  const command = commandRun(project, { workflow: aCommand() });
  endAgent(command);
  const facts = () => look(project).runs[0]?.stages?.postflight;
  expect(facts()).toMatchObject({ syncInvoked: true, syncCompleted: false, next: 'sync' });
  postflight(command, 'sync', 'todo');
  expect(facts()).toMatchObject({ syncCompleted: true, todoUpdated: true, stateUpdated: false, next: 'state' });
  postflight(command, 'state');
  command.say({ kind: 'postflight.done', fact: 'commit', done: false, note: 'the checkout has other changes' });
  expect(facts()).toMatchObject({
    commitCreated: false,
    next: null,
    notes: { commit: 'the checkout has other changes' },
  });
  expect(look(project).text).toContain(
    'status sync invoked, completed, TODO.md updated, state.json updated, no commit (the checkout has other changes)',
  );
  command.advance();
  expect(command.state.status).toBe('completed');
  expect(look(project).runs).toEqual([]);
  const { ended = [], text } = look(project, { all: true });
  expect(ended).toMatchObject([
    { run: command.run, status: 'completed', stages: { skipped: [], current: 'postflight' } },
  ]);
  expect(ended[0]?.stages?.completed).toHaveLength(7);
  expect(text).toMatch(/^no delegations are running\nended:\nresearch 12 /);
  command.release();
});

it('names a stage that was skipped: a later one was reached without it', () => {
  const project = folder();
  const command = commandRun(project, { workflow: aCommand(), stages: ['parse', 'preflight', 'context'] });
  command.advance();
  expect(look(project).runs[0]?.stages).toMatchObject({ current: 'invocation', skipped: ['routing'] });
  expect(look(project).text).toContain('completed: parse, preflight, context; skipped: routing\n');
  command.release();
});

it('names the stages that a command ended without', () => {
  const project = folder();
  const command = commandRun(project, { workflow: aCommand() });
  command.advance();
  command.say({ kind: 'run.ended', status: 'failed' });
  const { ended = [] } = look(project, { all: true });
  expect(ended[0]?.stages?.skipped).toEqual(['validation', 'postflight']);
  expect(look(project, { run: command.run }).runs).toMatchObject([{ status: 'failed' }]);
  command.release();
});

it('shows a command that ended partial as partial, in the registry, in the list and in its status', () => {
  const project = folder();
  const command = commandRun(project, { workflow: aCommand() });
  endAgent(command, 'partial');
  for (const fact of ['sync', 'todo', 'state', 'commit'] as const) postflight(command, fact);
  command.advance();
  expect(command.state.status).toBe('failed');
  expect(look(project, { all: true }).ended).toMatchObject([{ status: 'failed', end: 'partial' }]);
  expect(look(project, { run: command.run }).text).toContain(`${command.run}: partial`);
  expect(list(project).text).toMatch(/^run_\w+ {2}partial /);
  expect(runReport(command.state)).toMatchObject({ status: 'failed', end: 'partial' });
  command.release();
});

it('shows a command whose process is gone, where it stopped, and what continues it', () => {
  const project = folder();
  const command = commandRun(project, { workflow: aCommand(), holder: goneHolder() });
  endAgent(command);
  postflight(command, 'sync');
  expect(look(project).runs).toMatchObject([{ status: 'interrupted', delegations: [] }]);
  expect(look(project).text).toContain(
    `interrupted at postflight: todo; \`divisi research 12\` or \`divisi resume ${command.run}\` resumes it`,
  );
  command.release();
});

it('does not call a delegation running whose orchestrator is gone', () => {
  const project = folder();
  const command = commandRun(project, { workflow: aCommand(), holder: goneHolder() });
  command.advance();
  expect(look(project).runs[0]?.delegations).toMatchObject([{ status: 'interrupted' }]);
  command.release();
});

it('shows delegations of plans, features and architects without stages', () => {
  const project = folder();
  const features: Workflow = { kind: 'features', features: [], extras: [] };
  const all = [
    commandRun(project, { planFile: 'plan.md', agent: 'worker', now: 3 * hour }),
    commandRun(project, { workflow: features, agent: 'tdd-task-executor', now: 2 * hour }),
    commandRun(project, { workflow: { kind: 'architect', request: 'x' }, agent: 'architect', now: hour }),
  ];
  for (const one of all) one.advance();
  const { runs, text } = look(project);
  expect(runs.map(({ command, delegations: rows }) => [command, rows[0]?.path[1]])).toEqual([
    ['run', 'run'],
    ['feature', 'feature'],
    ['plan', 'plan'],
  ]);
  expect(runs.every(({ stages, number }) => stages === undefined && number === undefined)).toBe(true);
  expect(text).toContain('no stages (direct delegations)\n');
  all[0]?.say({ kind: 'run.paused', reason: 'by a person', for: 'stop' });
  expect(look(project).runs).toHaveLength(2);
  for (const one of all) one.release();
});

it('keeps what others wrote on one line', () => {
  const project = folder();
  const workflow = aCommand({ title: 'A\n\u001B[2Jtitle', language: 'l\nean' });
  const command = commandRun(project, { workflow });
  command.advance();
  expect(look(project).text).toMatch(/^research 12 \[l ean\] A \S*title, run_/);
  command.release();
});

it('is an option of the command', async () => {
  const cwd = folder();
  const command = commandRun(cwd, { workflow: aCommand() });
  command.advance();
  const { stdout, code } = await divisi(['status', '--delegations', '--json'], { cwd });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ runs: [{ command: 'research', delegations: [{ agent: 'researcher' }] }] });
  command.release();
});
