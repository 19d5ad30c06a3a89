/** Pins the structure of `--json`: keys, types and places. Content is not frozen. */
import { rmSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { adopt } from '../../src/cli/set-up/adopt.ts';
import { delegations } from '../../src/cli/look/status-delegations.ts';
import { aCommand, commandRun } from '../support/command-run.ts';
import { projectFiles } from '../support/project.ts';
import { exampleReturn } from '../support/returns.ts';
import { sampleAssignment } from '../support/samples.ts';
import { shapeOf } from '../support/shape.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { divisi } from '../support/divisi.ts';

const folder = temporaryFolders();

async function shape(line: string, input = ''): Promise<unknown> {
  const { stdout } = await divisi([...line.split(' '), '--json'], { cwd: folder(), input });
  return shapeOf(JSON.parse(stdout));
}

const violations = [{ code: 'string', path: 'string', expected: 'string', got: 'string' }];
const size = { characters: 'number', tokens: 'number' };

describe('contract', () => {
  it('list', async () => {
    expect(await shape('contract list')).toEqual([
      { name: 'string', version: 'number', wireFormat: 'string', purpose: 'string' },
    ]);
  });

  it('show', async () => {
    expect(await shape('contract show architect')).toEqual({
      name: 'string',
      version: 'number',
      purpose: 'string',
      wireFormat: 'string',
      role: 'string',
      line: ['string'],
      fields: {
        status: { type: 'string', is: 'string', about: 'string' },
        path: { type: 'string', presence: 'string', feeds: 'string', about: 'string' },
      },
      summary: 'string',
      rules: [{ when: { status: 'string' }, then: { path: { empty: 'boolean' } }, because: 'string' }],
      actions: [
        { when: { status: 'string' }, action: 'string' },
        { when: { status: { not: 'string' } }, action: 'string' },
      ],
      example: { status: 'string', path: 'string' },
    });
  });

  it('prompt', async () => {
    expect(await shape('contract prompt architect')).toEqual({ contract: 'string', prompt: 'string' });
  });

  it('check, valid', async () => {
    const input = exampleReturn('structured-return').replace('{', '{ "a_key_nobody_knows": 1,');
    expect(await shape('contract check structured-return', input)).toEqual({
      ok: true,
      contract: 'string',
      action: 'string',
      result: {
        contract: 'string',
        status: 'string',
        summary: 'string',
        artifacts: [{ type: 'string', path: 'string', summary: 'string' }],
        filesTouched: [],
        checks: [],
        notes: [],
        errors: [{ type: 'string', message: 'string', recoverable: 'boolean', recommendation: 'string' }],
        nextSteps: 'string',
        metadata: {
          delegationId: 'string',
          agent: 'string',
          depth: 'number',
          path: ['string'],
          durationSeconds: 'number',
        },
        fields: {},
        wireFormat: 'string',
        deviations: [{ code: 'string', path: 'string', detail: 'string' }],
        degraded: [],
      },
      brief: 'string',
      sizes: { return: size, brief: size, tokensAre: 'string' },
    });
  });

  it('check, the parts only a report has', async () => {
    expect(await shape('contract check worker-report', exampleReturn('worker-report'))).toMatchObject({
      result: {
        filesTouched: [{ path: 'string', action: 'string' }],
        checks: [{ criterion: 'string', status: 'string', evidence: 'string' }],
        notes: ['string'],
        metadata: { schemaVersion: 'string', runId: 'string', taskId: 'string', worklogPath: 'string' },
        fields: { decisions: ['string'], issues: [] },
      },
    });
  });

  it('check, not valid', async () => {
    expect(await shape('contract check task-review', 'LOW|x|../r.md')).toEqual({
      ok: false,
      contract: 'string',
      violations,
      salvaged: {
        result: {
          contract: 'string',
          status: 'string',
          summary: 'string',
          artifacts: [],
          filesTouched: [],
          checks: [],
          notes: [],
          errors: [],
          metadata: {},
          fields: { priority: 'string', action: 'string' },
          wireFormat: 'string',
          deviations: [],
          degraded: [],
        },
        head: 'string',
        tail: 'string',
      },
    });
  });

  it('repair', async () => {
    expect(await shape('contract repair task-review', 'LOW|x|r.md')).toEqual({ ok: true, contract: 'string' });
    expect(await shape('contract repair task-review', 'prose')).toEqual({
      ok: false,
      contract: 'string',
      violations,
      message: 'string',
    });
  });
});

describe('assignment', () => {
  const valid = JSON.stringify(sampleAssignment());

  it('check', async () => {
    expect(await shape('assignment check', valid)).toEqual({
      ok: true,
      assignment: {
        schema_version: 'string',
        run_id: 'string',
        session_id: 'string',
        delegation_depth: 'number',
        delegation_path: ['string'],
        timeout: 'number',
        agent: 'string',
        contract: 'string',
        task: {
          id: 'string',
          description: 'string',
          acceptance: ['string'],
          scope: ['string'],
          report_path: 'string',
          worklog_path: 'string',
        },
        task_context: { task_number: 'number', description: 'string', language: 'string' },
      },
    });
    expect(await shape('assignment check', '{}')).toEqual({
      ok: false,
      faults: [{ path: 'string', expected: 'string' }],
    });
  });

  it('prompt', async () => {
    expect(await shape('assignment prompt', valid)).toEqual({
      ok: true,
      agent: 'string',
      contract: 'string',
      prompt: 'string',
    });
  });
});

describe('what runs have done', () => {
  let cwd = '';
  let streamed: readonly string[] = [];
  let reported: unknown;
  beforeAll(async () => {
    const commands = ['  accept: [["true"]]', '  timeout: 60'];
    const files = { '.divisi/config.yaml': ['workspace:', ...commands, ''].join('\n') };
    cwd = folder(projectFiles({ waves: [['1.1'], ['2.1']], behave: { '2.1': 'fail' }, files }));
    streamed = (await divisi(['run', 'plan.md', '--json'], { cwd })).stdout.trimEnd().split('\n');
    reported = await shown('report');
    await divisi(['cancel'], { cwd });
  });
  const shown = async (line: string): Promise<unknown> =>
    shapeOf(JSON.parse((await divisi([...line.split(' '), '--json'], { cwd })).stdout));
  const file = { path: 'string', change: 'string', binary: 'boolean', linesAdded: 'number', linesDeleted: 'number' };
  const size = { files: [file], linesAdded: 'number', linesDeleted: 'number' };
  const command = {
    argv: ['string'],
    from: 'string',
    ok: true,
    end: 'string',
    milliseconds: 'number',
    output: 'string',
  };

  it('report, which is also the last line of `run --json`', () => {
    expect(shapeOf(JSON.parse(streamed.at(-1) ?? ''))).toEqual(reported);
    const task = { task: 'string', title: 'string', wave: 'number', status: 'string', mark: 'string', tier: 'string' };
    const tried = { ...task, attempts: 'number', summary: 'string' };
    const checks = [{ criterion: 'string', evidence: 'string', status: 'string' }];
    expect(reported).toEqual({
      run: 'string',
      title: 'string',
      status: 'string',
      reason: 'string',
      plan: 'string',
      counts: { completed: 'number', ended: 'number' },
      files: ['string'],
      tasks: [
        {
          ...tried,
          checks,
          commit: 'string',
          report: 'string',
          verification: expect.objectContaining({ verdict: 'string' }) as object,
        },
        {
          ...tried,
          failure: { class: 'string', message: 'string' },
          room: 'string',
          waiting: { checkpoint: 'string', for: 'string', why: 'string' },
        },
      ],
      gates: [{ ...tried, report: 'string' }],
      findings: [],
      checkpoints: [
        expect.objectContaining({ checkpoint: 'string', kind: 'string', approve: 'string', reject: 'string' }),
      ],
      spent: {
        delegations: 'number',
        milliseconds: 'number',
        tokens: 'number',
        cost: 'number',
        silent: 'number',
        lacking: { tokens: 'number', cost: 'number' },
      },
      budgets: {},
      delegations: [],
      workspace: {
        kind: 'string',
        branch: 'string',
        base: 'string',
        head: 'string',
        commits: 'number',
        files: 'number',
        foreign: 'number',
      },
    });
  });

  it('diff', async () => {
    expect(await shown('diff 1.1')).toEqual({
      run: 'string',
      task: 'string',
      attempt: 'number',
      where: 'string',
      from: 'string',
      to: 'string',
      ...size,
    });
    expect(await shown('diff')).toEqual({ run: 'string', branch: 'string', from: 'string', to: 'string', ...size });
  });

  it('verify', async () => {
    const task = { task: 'string', title: 'string', status: 'string' };
    expect(await shown('verify')).toEqual({
      run: 'string',
      branch: 'string',
      commit: 'string',
      foreign: 'number',
      holds: 'boolean',
      tasks: [
        {
          ...task,
          then: {
            verdict: 'string',
            base: 'string',
            commit: 'string',
            changed: 'number',
            linesAdded: 'number',
            linesDeleted: 'number',
            findings: [],
            commands: [command],
            milliseconds: 'number',
          },
          now: { findings: [], commands: [command] },
          holds: 'boolean',
        },
        task,
      ],
    });
  });

  it('clean', async () => {
    expect(await shown('clean --dry-run')).toEqual({
      dryRun: 'boolean',
      ended: [],
      removed: [{ run: 'string', status: 'string', folders: ['string'], branches: [], bytes: 'number' }],
      kept: [{ run: 'string', why: 'string' }],
      seeds: { count: 'number', bytes: 'number' },
      bytes: 'number',
    });
  });

  it('merge', async () => {
    expect(await shown('merge --yes')).toEqual({
      run: 'string',
      branch: 'string',
      into: 'string',
      commits: 'number',
      result: 'string',
      files: ['string'],
      as: 'string',
      signed: 'boolean',
    });
  });
});

it('adopt', () => {
  const old = folder();
  const command = commandRun(old, { workflow: aCommand() });
  command.release();
  const here = folder();
  rmSync(old, { recursive: true });
  expect(shapeOf(adopt(here, old).json)).toEqual({ from: 'string', runs: 'number' });
});

it('an error', async () => {
  expect(await shape('contract show nobody')).toEqual({
    ok: false,
    error: {
      code: 'string',
      message: 'string',
      expected: 'string',
      got: 'string',
      next: 'string',
      retryable: 'boolean',
      ids: { contract: 'string' },
    },
  });
});

it('status --delegations', () => {
  const cwd = folder();
  const command = commandRun(cwd, { workflow: aCommand() });
  command.advance();
  const { json } = delegations(cwd, { all: true });
  command.release();
  const about = { run: 'string', command: 'string', number: 'number', language: 'string' };
  expect(shapeOf(json)).toEqual({
    at: 'number',
    runs: [
      {
        ...about,
        kind: 'string',
        title: 'string',
        status: 'string',
        began: 'number',
        changed: 'number',
        delegations: [
          {
            ...about,
            session: 'string',
            agent: 'string',
            task: 'string',
            path: ['string'],
            depth: 'number',
            began: 'number',
            deadline: 'number',
            left: 'number',
            status: 'string',
          },
        ],
        settling: [],
        stages: {
          current: 'string',
          completed: ['string'],
          skipped: [],
          notes: { routing: 'string', invocation: 'string' },
          postflight: {
            syncInvoked: 'boolean',
            syncCompleted: 'boolean',
            todoUpdated: 'boolean',
            stateUpdated: 'boolean',
            commitCreated: 'boolean',
            next: 'null',
            notes: {},
          },
        },
      },
    ],
    ended: [],
  });
});
