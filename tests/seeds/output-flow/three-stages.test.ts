/** The report, the message that points at it, and what enters the context. */
import { describe, expect, it } from 'vitest';
import { conductorRefusal } from '../../../src/conversation/permit.ts';
import { read } from '../../../src/contracts/read/read.ts';
import { repairMessage } from '../../../src/contracts/write/prompt.ts';
import { actionFor } from '../../../src/contracts/registry.ts';
import type { Reading, Result } from '../../../src/contracts/result.ts';
import { checkAssignment } from '../../../src/delegation/assignment.ts';
import { dispatchPrompt } from '../../../src/delegation/dispatch-prompt.ts';
import { readReturn } from '../../../src/reading/take-return.ts';
import { briefXml, taskBudget } from '../../../src/views/brief/brief.ts';
import { driverTask } from '../../conformance/driver-task.ts';
import { divisi } from '../../support/divisi.ts';
import { repositoryFile } from '../../support/repository.ts';
import { sampleAssignment } from '../../support/samples.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';
import { emptyResult, seed, testVectors, type Vector } from '../../support/vectors.ts';
import { contractNamed } from '../../support/wire-returns.ts';

const folder = temporaryFolders();
const contract = contractNamed('worker-report');
const report = seed('output-flow/task-report.md');
const message = seed('output-flow/return-message.txt');
const reportPath = '.orchestrator/outputs/task__add_endpoint_tests.md';
const summary = 'Added endpoint tests for the auth module covering login, logout, and token refresh flows.';

function resultOf(reading: Reading): Result {
  if (!reading.ok) throw new Error(JSON.stringify(reading.violations));
  return reading.result;
}

function remarks(reading: Reading): string[] {
  return resultOf(reading).deviations.map(({ code, path }) => `${code} ${path}`);
}

const front = JSON.parse(seed('output-flow/result-fields.json')) as { run_id: string; task_id: string };

/** The message of an agent that worked in a folder with these files. */
async function returned(text: string, files: Readonly<Record<string, string>>): Promise<Reading> {
  const directory = folder(files);
  const task = { ...driverTask(directory), run: front.run_id, task: front.task_id, reportPath };
  const here = text.replaceAll('$HERE', directory);
  return (await readReturn({ project: folder(), contract, by: 'message', task }, here)).reading;
}

const reports: readonly Vector[] = [
  {
    file: 'output-flow/task-report.md',
    contract: 'worker-report',
    action: 'proceed',
    result: {
      ...emptyResult,
      contract: 'worker-report',
      status: 'completed',
      summary: 'Added endpoint tests for the auth module covering login, logout, and token refresh flows.',
      filesTouched: [
        { path: 'tests/test_auth.py', action: 'edit' },
        { path: 'tests/fixtures/auth.json', action: 'create' },
      ],
      checks: [
        { criterion: 'All endpoint tests pass', status: 'pass', evidence: 'pytest tests/test_auth.py — 12 passed' },
      ],
      notes: ['No conflicts, ready for merge'],
      metadata: {
        schemaVersion: '1.0.0',
        runId: '3f56dc4d-35cf-4f97-925c-0b04a6fe8bf4',
        taskId: 'T-12',
        worklogPath: 'worklogs/T-12.jsonl',
      },
      fields: {
        decisions: ['Used pytest fixtures instead of unittest setUp to match existing test patterns.'],
        issues: [],
      },
      wireFormat: 'report',
    },
  },
];

describe('Stage 1: Subagent writes task report before returning', () => {
  testVectors(reports);

  it.each([
    message,
    `"${message}"`,
    `Task done. Report: $HERE/${reportPath}`,
    'Task done. Report: reports/elsewhere.md',
    'Everything is finished, and all tests pass.',
    '',
    JSON.stringify(front),
    report.replace(summary, 'All done.'),
  ])('takes the report for the result, whatever the message: %s', async (text) => {
    const reading = await returned(text, { [reportPath]: report });
    expect(resultOf(reading)).toMatchObject({ status: 'completed', summary });
  });

  it('takes the message for the result where the report is none', async () => {
    const files = { [reportPath]: report.replace('status: done', 'status: ready') };
    expect(resultOf(await returned(report.replace(summary, 'All done.'), files)).summary).toBe('All done.');
  });

  it('records an absolute path of the agent as a deviation, and refuses any other', async () => {
    const named = (path: string): string => report.replace('tests/test_auth.py"', `${path}"`);
    const inside = await returned(named('$HERE/tests/test_auth.py'), {});
    expect(resultOf(inside).filesTouched[0]).toEqual({ path: 'tests/test_auth.py', action: 'edit' });
    expect(remarks(inside)).toEqual(['path-absolute files_touched[0].resource']);
    const worklog = await returned(report.replace('worklogs/T-12', '$HERE/worklogs/T-12'), {});
    expect(resultOf(worklog).metadata.worklogPath).toBe('worklogs/T-12.jsonl');
    for (const path of ['/etc/passwd', '$HERE/../secret', '$HERE-2/a.py']) {
      expect(await returned(named(path), {})).toMatchObject({ ok: false, violations: [{ code: 'path-outside' }] });
    }
  });

  it.each([
    ['done', 'completed'],
    ['blocked', 'blocked'],
    ['failed', 'failed'],
    ['partial', 'partial'],
  ])('reads the status %s as %s, in the message and in the report', (word, status) => {
    const line = read(contract, message.replace('done', word));
    expect(line.ok ? {} : line.salvaged.result).toMatchObject({ status, artifacts: [{ path: reportPath }] });
    const text = report.replace('status: done', `status: ${word}`).replace('None.', '- The login endpoint is missing.');
    expect(resultOf(read(contract, text)).status).toBe(status);
  });

  it('asks for another status in the words of the form', () => {
    const reading = read(contract, report.replace('status: done', 'status: finished'));
    const violations = reading.ok ? [] : reading.violations;
    expect(violations).toMatchObject([{ path: 'status', expected: 'one of done, partial, failed, blocked' }]);
    expect(repairMessage(contract, violations, { reportPath })).not.toContain('completed');
  });

  it('takes the first sentence of a summary that is longer than a summary', () => {
    const reading = read(contract, report.replace(summary, `${summary} ${'Then more of it. '.repeat(40)}`));
    expect(resultOf(reading).summary).toBe(summary);
    expect(remarks(reading)).toEqual(['summary-long summary']);
    const field = read(contract, report.replace('status: done', `status: done\nsummary: ${'Long. '.repeat(100)}`));
    expect(field).toMatchObject({ ok: false, violations: [{ code: 'too-long', path: 'summary' }] });
  });

  it.each([
    ['success', 'completed'],
    ['timeout', 'partial'],
  ])('reads the status %s of the message as %s', (word, status) => {
    const line = read(contract, message.replace('done', word));
    expect(line.ok ? {} : line.salvaged.result).toMatchObject({ status });
  });

  it('keeps what a message says about the report, and takes it for no result of its own', () => {
    expect(read(contract, message)).toStrictEqual({
      ok: false,
      violations: [
        {
          code: 'report-not-read',
          path: '',
          expected: 'the report itself',
          got: `a line that points to ${reportPath}`,
        },
      ],
      salvaged: {
        result: {
          ...emptyResult,
          contract: 'worker-report',
          status: 'completed',
          artifacts: [{ type: 'report', path: reportPath }],
          wireFormat: 'line',
          deviations: [{ code: 'wire-format', path: '', detail: 'line instead of report' }],
        },
        head: message,
        tail: '',
      },
    });
  });

  it('takes the message for a line where a line is asked for', () => {
    expect(read(contractNamed('architect'), message)).toStrictEqual({
      ok: true,
      result: {
        ...emptyResult,
        contract: 'architect',
        status: 'completed',
        summary: `plan ${reportPath}`,
        artifacts: [{ type: 'plan', path: reportPath }],
        fields: { path: reportPath },
        wireFormat: 'line',
      },
    });
  });
});

describe('Stage 2: Async command hook on SubagentStop', () => {
  // Passes collapse to counts: the lists of the document cost more than they say. The agent's words are data.
  it('puts one element into the context: identity, status, counts, notes and the report', () => {
    const xml = briefXml(resultOf(read(contract, report)), { budget: taskBudget, reportPath, action: 'proceed' });
    expect(xml).toBe(
      `<subagent-result status="completed" task="T-12" action="proceed" checks="1/1" files="2" report="${reportPath}" content="data">` +
        `<summary>${summary}</summary><note>No conflicts, ready for merge</note></subagent-result>`,
    );
  });

  // An async hook drops results on the real client, and only a sync one can have a return repaired.
  it('is a sync hook of every subagent, with time for verification', () => {
    const { hooks } = JSON.parse(repositoryFile('plugin/hooks/hooks.json')) as {
      hooks: Record<string, { matcher?: string; hooks: Record<string, unknown>[] }[]>;
    };
    expect(hooks['SubagentStop']).toEqual([
      { hooks: [{ type: 'command', command: 'divisi hook SubagentStop', timeout: 600 }] },
    ]);
  });
});

describe('Non-orchestrated subagents', () => {
  it('says nothing when the subagent belongs to no run', async () => {
    const input = JSON.stringify({ hook_event_name: 'SubagentStop', session_id: 's', agent_id: 'a', cwd: folder() });
    expect(await divisi(['hook', 'SubagentStop'], { cwd: folder(), input })).toMatchObject({
      code: 0,
      stdout: '',
      stderr: '',
    });
  });
});

describe('Stage 3: Orchestrator attends to injected context', () => {
  it('proceeds when every criterion passes', () => {
    expect(actionFor(contract, resultOf(read(contract, report)))).toBe('proceed');
  });

  it('shows the failed criterion of unfinished work before anything else', () => {
    const text = report
      .replace('status: done', 'status: partial')
      .replace('status: pass', 'status: fail')
      .replace('None.', '- Logout still fails.');
    const result = resultOf(read(contract, text));
    expect(actionFor(contract, result)).toBe('continue');
    expect(briefXml(result, { budget: taskBudget })).toMatch(
      /content="data"><error>execution: Logout still fails\.<\/error><check>fail: All endpoint tests pass /,
    );
  });
});

describe('1. Subagent directive (`references/subagent-directive.md`)', () => {
  const assignment = sampleAssignment({ task: { id: 'T-12', description: 'Add tests.', report_path: reportPath } });
  const reading = checkAssignment(assignment);
  const prompt = reading.ok ? dispatchPrompt({ assignment: reading.assignment, instructions: 'Work.', contract }) : '';

  it.each(Object.keys(front))('asks for %s in the frontmatter', (field) => {
    expect(prompt).toContain(`\n- ${field}: `);
  });

  it.each(['Summary', 'Decisions', 'Issues'])('asks for the section %s', (section) => {
    expect(prompt).toContain(`(section "## ${section}")`);
  });

  it('asks for the report at its path, and for one line that names it', () => {
    expect(prompt).toContain(`to ${reportPath}, even if`);
    expect(prompt).toContain(`nothing else: Task <status>. Report: ${reportPath}\n`);
  });
});

describe('4. `build_dispatch_prompt.py`', () => {
  it('takes the report path of the document, and requires one', () => {
    const task = { id: 'T-12', description: 'Add tests.', report_path: '.orchestrator/outputs/task__{snake_case}.md' };
    expect(checkAssignment(sampleAssignment({ task }))).toMatchObject({ ok: true, assignment: { task } });
    const { report_path: _, ...without } = task;
    expect(checkAssignment(sampleAssignment({ task: without }))).toMatchObject({
      ok: false,
      faults: [{ path: 'task.report_path' }],
    });
  });
});

describe('5. Orchestrator control loop (`agents/orchestrator.md`)', () => {
  it.each(['TaskOutput', 'Read'])('refuses %s to the conductor while a run is active', (tool) => {
    expect(conductorRefusal({ tool, path: '.divisi/runs/run_1/reports/wave-1/task-1.1.md' }, 'plan.md')).toMatch(
      tool === 'Read' ? /ask the divisi tool `report` for one section/ : /TaskOutput is for its agents/,
    );
  });
});

describe('Properties', () => {
  it('costs the context at most 600 characters a task, whatever the agent wrote', () => {
    const words = 'It went on and on. '.repeat(500);
    const result = resultOf(
      read(contract, report.replace('- "No conflicts, ready for merge"', `- "${words.slice(0, 9_000)}"`)),
    );
    expect(briefXml(result, { budget: taskBudget, reportPath }).length).toBeLessThanOrEqual(600);
  });
});
