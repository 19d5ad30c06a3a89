import { describe, expect, it } from 'vitest';
import { workerReport } from '../../../src/contracts/built-in/worker-report.ts';
import { read } from '../../../src/contracts/read/read.ts';
import { promptSuffix } from '../../../src/contracts/write/prompt.ts';
import type { CheckRow } from '../../../src/core/event/outcome.ts';
import { parseAssignment } from '../../../src/delegation/assignment.ts';
import { dispatchPrompt } from '../../../src/delegation/dispatch-prompt.ts';
import { accepted } from '../../../src/reading/outcome.ts';
import { checkCriteria } from '../../../src/verify/checks/criteria.ts';
import { repositoryFile } from '../../support/repository.ts';
import { advance, createdRun, end, happen, planOf } from '../../support/state-of.ts';
import { verify, workspaceFacts } from '../../support/settling.ts';

const report = repositoryFile('tests/seeds/fixtures/output-flow/task-report.md');

function rowsOf(text: string): readonly CheckRow[] {
  const reading = read(workerReport, text);
  if (!reading.ok) throw new Error(JSON.stringify(reading.violations));
  return accepted(workerReport, reading.result, { repairs: 0 }).claims?.checks ?? [];
}

const row = (criterion: string, status: CheckRow['status'] = 'pass'): CheckRow => ({ criterion, status });

/** The numbers of the criteria that are not accounted for. */
function open(criteria: readonly string[], rows: readonly CheckRow[]): string[] {
  return checkCriteria(criteria, rows).map(({ fact }) => /C\d+/.exec(fact)?.[0] ?? fact);
}

describe('Stage 1: Subagent writes task report before returning', () => {
  it('accepts the row of the document for its own criterion', () => {
    expect(checkCriteria(['All endpoint tests pass'], rowsOf(report))).toEqual([]);
  });

  it('finds every criterion that the report of the document does not account for', () => {
    const criteria = ['The README names every endpoint', 'All endpoint tests pass', '`npm run lint` reports no error'];
    expect(checkCriteria(criteria, rowsOf(report))).toEqual([
      {
        kind: 'criterion-unaccounted',
        rejects: false,
        fact: 'the report has no row for C1 (The README names every endpoint)',
        paths: [],
      },
      {
        kind: 'criterion-unaccounted',
        rejects: false,
        fact: 'the report has no row for C3 (`npm run lint` reports no error)',
        paths: [],
      },
    ]);
  });

  it.each<[string, string[], CheckRow[], string[]]>([
    ['by its number', ['a', 'b'], [row('C1'), row('[c2] whatever')], []],
    ['by several numbers', ['a', 'b', 'c'], [row('C1, C2 and C3: done')], []],
    ['not by a number that is not there', ['Totals are rounded'], [row('C4')], ['C1']],
    [
      'by its words, although they look like a number',
      ['w', 'x', 'C1 stays as it is'],
      [row('C1 stays as it is.')],
      ['C1', 'C2'],
    ],
    ['without case, punctuation and blanks', ['All endpoint tests pass'], [row('“all END-POINT tests: pass!”')], []],
    ['where the row contains it', ['`npm test`'], [row('npm test is green')], []],
    ['where it contains the row', ['All endpoint tests pass'], [row('endpoint tests')], []],
    ['where one row contains two', ['npm test', 'npm run lint'], [row('npm test and npm run lint pass')], []],
    [
      'by 60 % of the longer words',
      ['Login, logout and token refresh have tests'],
      [row('there are tests of login, refresh and logout')],
      [],
    ],
    [
      'not by fewer',
      ['Login, logout and token refresh have tests'],
      [row('The login page shows a spinner while loading')],
      ['C1'],
    ],
    [
      'once: one row for one of two similar ones',
      ['The login endpoint returns errors', 'The logout endpoint returns errors'],
      [row('Login endpoint returns the errors')],
      ['C2'],
    ],
    ['by its only longer word', ['Docs: OK'], [row('The docs are ok')], []],
    ['not by one word among others', ['It builds'], [row('The builds of last week')], ['C1']],
    ['twice, where two are the same', ['It builds', 'It builds.'], [row('It builds')], []],
    ['not by a letter', ['All endpoint tests pass'], [row('a')], ['C1']],
    ['not by nothing', ['…', 'All tests pass'], [row('!')], ['C1', 'C2']],
    ['not by a row that fails', ['All endpoint tests pass'], [row('C1', 'fail')], ['C1']],
    [
      'not by a row that was skipped beside one that passes',
      ['All endpoint tests pass'],
      [row('C1'), row('C1', 'skip')],
      ['C1'],
    ],
    ['and a task without criteria needs none', [], [row('C1', 'fail')], []],
  ])('a row accounts for a criterion %s', (_, criteria, rows, expected) => {
    expect(open(criteria, rows)).toEqual(expected);
  });

  it('quotes the row that does not pass', () => {
    const [found] = checkCriteria(['All endpoint tests pass'], [row('C1: endpoint tests', 'skip')]);
    expect(found).toMatchObject({
      claim: 'skip: C1: endpoint tests',
      fact: 'the report does not claim that C1 (All endpoint tests pass) passes',
    });
  });

  it('stays small and quick for hundreds of criteria and rows', () => {
    const criteria = Array.from({ length: 1000 }, (_, at) => `criterion ${at} ${'word '.repeat(400)}`);
    const rows = Array.from({ length: 200 }, (_, at) => row(`${'c1'.repeat(150)} ${at}`));
    expect(checkCriteria(criteria, rows)).toHaveLength(21);
  });
});

describe('4. `build_dispatch_prompt.py`', () => {
  it('numbers the criteria of the assignment and asks for a row for each', () => {
    const assignment = parseAssignment({
      schema_version: '1.0.0',
      run_id: '3f56dc4d-35cf-4f97-925c-0b04a6fe8bf4',
      session_id: 'sess_1767225600_k3x9q1',
      delegation_depth: 1,
      delegation_path: ['orchestrator', 'run', 'worker'],
      timeout: 900,
      agent: 'worker',
      contract: 'worker-report',
      task: {
        id: 'T-12',
        description: 'Add endpoint tests',
        acceptance: ['All endpoint tests pass', 'No test is skipped'],
        report_path: '.orchestrator/outputs/task__add_endpoint_tests.md',
      },
    });
    const prompt = dispatchPrompt({ assignment, instructions: 'Work.', contract: workerReport });
    expect(prompt).toContain('It is done when:\n- C1: All endpoint tests pass\n- C2: No test is skipped\n');
    expect(promptSuffix(workerReport)).toContain('one row for each acceptance criterion');
  });
});

describe('Stage 3: Orchestrator attends to injected context', () => {
  it('gives the reviewer the criteria that are not accounted for', () => {
    const plan = planOf([[{ id: 'T-12', accept: ['All endpoint tests pass', 'No test is skipped'] }]]);
    const state = happen(createdRun(plan, 1, true, { workspace: workspaceFacts }), {
      kind: 'run.started',
      command: 'a test',
    });
    advance(state);
    end(state, 'T-12', 'completed');
    const findings = checkCriteria(['All endpoint tests pass', 'No test is skipped'], rowsOf(report));
    verify(state, 'T-12', { verdict: 'degraded', findings }, null);
    advance(state);
    const review = state.gateTasks.get('wave-1:review');
    expect(review?.planned.description).toContain(
      'check each of them yourself:\n- T-12: the report has no row for C2 (No test is skipped)',
    );
    expect(state.tasks.get('T-12')?.progress).toMatchObject({ outcome: { degraded: ['criterion-unaccounted'] } });
  });
});
