import { describe, expect, it } from 'vitest';
import { workerReport } from '../../../src/contracts/built-in/worker-report.ts';
import { read } from '../../../src/contracts/read/read.ts';
import type { Outcome } from '../../../src/core/event/outcome.ts';
import { outcomeSchema } from '../../../src/core/event/outcome.ts';
import type { RunState } from '../../../src/core/state/state.ts';
import { accepted } from '../../../src/reading/outcome.ts';
import { checkpointBrief } from '../../../src/views/brief/checkpoint-brief.ts';
import { briefXml } from '../../../src/views/brief/brief.ts';
import { doneText } from '../../../src/views/brief/here-text.ts';
import { reportBrief, sectionBrief } from '../../../src/views/brief/report-brief.ts';
import { runBrief } from '../../../src/views/brief/run-brief.ts';
import { sectionOf, withRecorded } from '../../../src/views/run/report-sections.ts';
import { runReport } from '../../../src/views/run/run-report.ts';
import { runSummary } from '../../../src/views/run/run-summary.ts';
import { statusText } from '../../../src/views/run/status-text.ts';
import { summaryText } from '../../../src/views/run/summary-text.ts';
import { taskReport } from '../../../src/views/run/task-report.ts';
import { repositoryFile } from '../../support/repository.ts';
import { advance, createdRun, end, happen, planOf } from '../../support/state-of.ts';

const text = repositoryFile('tests/seeds/fixtures/output-flow/task-report.md');
const note = 'No conflicts, ready for merge';
const evidence = 'pytest tests/test_auth.py — 12 passed';

function resultOf(report: string): ReturnType<typeof read<typeof workerReport.fields>> {
  return read(workerReport, report);
}

function outcomeOf(report: string): Outcome {
  const reading = resultOf(report);
  if (!reading.ok) throw new Error(JSON.stringify(reading.violations));
  return accepted(workerReport, reading.result, { repairs: 0, report: 'reports/T-12.md' });
}

/** A run whose only wave has ended with this report. */
function runWith(report = text): RunState {
  const plan = planOf([[{ id: 'T-12', accept: ['All endpoint tests pass'] }], [{ id: 'T-13' }]], {
    checkpoints: [{ afterWave: 1, why: 'look at it' }],
  });
  const state = happen(createdRun(plan), { kind: 'run.started', command: 'a test' });
  advance(state);
  const { status, ...rest } = outcomeOf(report);
  end(state, 'T-12', status, rest);
  advance(state);
  return state;
}

const task = (state: RunState) => state.tasks.get('T-12') ?? expect.unreachable();

describe('Stage 1: Subagent writes task report before returning', () => {
  it('keeps the notes and the acceptance check in the outcome of the run', () => {
    const outcome = outcomeOf(text);
    expect(outcome.notes).toEqual([note]);
    expect(outcome.claims?.checks).toEqual([{ criterion: 'All endpoint tests pass', status: 'pass', evidence }]);
    expect(outcomeSchema().safeParse(outcome).success).toBe(true);
  });

  it('bounds and redacts them, and drops a note without content', () => {
    const key = `sk-ant-api03-${'a1B2'.repeat(24)}`;
    const notes = ['none', `the key is ${key}`, ...Array.from({ length: 50 }, (_, at) => `${at} ${'x'.repeat(900)}`)];
    const many = text.replace(`  - "${note}"`, notes.map((one) => `  - "${one}"`).join('\n'));
    const { notes: kept = [] } = outcomeOf(many);
    expect(kept).toHaveLength(20);
    expect(kept[0]).toContain('the key is');
    expect(kept.join('\n')).not.toContain(key);
    expect(Math.max(...kept.map(({ length }) => length))).toBeLessThanOrEqual(500);
  });
});

describe('Stage 2: Async command hook on SubagentStop', () => {
  it('gives the note to the conversation, within its line', () => {
    expect(doneText(task(runWith()))).toBe(`T-12 completed; note "${note}"`);
    const long = doneText(task(runWith(text.replace(note, 'a "quoted" word '.repeat(40)))));
    expect(long.length).toBeLessThanOrEqual(300);
    expect(long.split('"')).toHaveLength(3);
  });

  it('has the note in the result brief and in the run brief, as data and within their budgets', () => {
    const reading = resultOf(text);
    expect(reading.ok && briefXml(reading.result, { budget: 600 })).toContain(`<note>${note}</note>`);
    const brief = runBrief(runReport(runWith()));
    expect(brief).toContain(`<note of="T-12">${note}</note>`);
    expect(brief.length).toBeLessThanOrEqual(600);
  });
});

describe('Stage 3: Orchestrator attends to injected context', () => {
  it('shows note and criteria in status, report, summary and the question of a checkpoint', () => {
    const report = runReport(runWith());
    expect(statusText(report, 2000)).toContain(`\n  note from T-12: ${note}`);
    expect(statusText(report, 2000)).toContain('T-12 Task T-12 – completed, claims 1/1 criteria: Added endpoint tests');
    expect(summaryText(report, 'reports')).toContain(`\nnote from T-12: ${note}\n`);
    expect(summaryText(report, 'reports')).toContain(`\n  note: T-12: ${note}\n`);
    expect(runSummary(report)).toContain(`\n## Notes\n\n- T-12: ${note}\n`);
    expect(runSummary(report)).toContain(`\n  - claimed pass: All endpoint tests pass (${evidence})\n`);
    expect(report.checkpoints.map(({ notes }) => notes)).toEqual([[`T-12: ${note}`]]);
    const briefs = report.checkpoints.map((question) => checkpointBrief(question, 'A plan'));
    expect(briefs.join('\n')).toContain(`Note from T-12: ${note}`);
    expect(briefs.join('\n')).toContain('Report of T-12: claims 1/1 criteria');
    expect(summaryText(report, 'reports')).toContain('\n  report: T-12: claims 1/1 criteria\n');
    expect(report.tasks[0]).toMatchObject({ notes: [note], checks: [{ status: 'pass', evidence }] });
  });

  it('shows a criterion that is not met in the question about its task', () => {
    const blocked = text.replace('status: done', 'status: blocked').replace('status: pass', 'status: fail');
    const [question] = runReport(runWith(blocked.replace('None.', '- The database is down.'))).checkpoints;
    const row = `T-12: claims 0/1 criteria; claimed fail: All endpoint tests pass (${evidence})`;
    expect(question?.claims).toEqual([row]);
  });

  it('shows them as sections of the report, by the names of their fields', () => {
    const whole = withRecorded(text, outcomeOf(text));
    const notes = `## Notes for orchestrator\n\n- ${note}\n`;
    expect(sectionOf(whole, 'notes_for_orchestrator', 'r.md')).toBe(notes);
    expect(sectionOf(whole, 'Notes for Orchestrator', 'r.md')).toBe(notes);
    expect(sectionOf(whole, 'acceptance_check', 'r.md')).toContain(
      `claimed pass: All endpoint tests pass (${evidence})`,
    );
    const given = { run: 'run_1', path: 'r.md', text: whole };
    expect(sectionBrief('T-12', given, 'notes_for_orchestrator')).toContain(note);
    const state = runWith();
    const brief = reportBrief(taskReport(state, task(state)), given);
    for (const title of ['Summary', 'Notes for orchestrator', 'Acceptance check'])
      expect(brief).toContain(`<section>${title}</section>`);
  });

  it('adds no section to a report without notes', () => {
    expect(withRecorded('# Review\n', undefined)).toBe('# Review\n');
  });
});
