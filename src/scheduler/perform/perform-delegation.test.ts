/** A return by message, tool or schema: requested, read, repaired, kept, counted. */
import { usualLimits } from '../../base/delegation-limits.ts';
import { defined } from '../../base/defined.ts';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolders } from '../../../tests/support/temporary-folder.ts';
import { agentsByName } from '../../agents/registry.ts';
import { print } from '../../contracts/write/print.ts';
import { delegationIdSchema } from '../../base/ids.ts';
import { read } from '../../contracts/read/read.ts';
import { contractsByName, findContract } from '../../contracts/registry.ts';
import type { ReturnWay } from '../../contracts/return-way.ts';
import type { DriverTask } from '../../drivers/driver.ts';
import type { ScriptedTurn } from '../../drivers/scripted/scenario.ts';
import { scriptedDriver } from '../../drivers/scripted/scripted-driver.ts';
import type { TurnUsage } from '../../dialects/usage.ts';
import type { Activity } from '../../core/attempt/activity.ts';
import type { ActivityEnd, Note } from '../../engine/engine.ts';
import { performDelegation, recoverDelegation } from './perform-delegation.ts';
import { type Clock, systemClock } from '../../engine/clock.ts';

const folder = temporaryFolders();
const run = 'run_20260101_000000_aaaaaa';
const delegation = delegationIdSchema.parse('sess_1700000000_aaaaaa');
const room = { folder: 'w', branch: 'b', base: 'c' };

function activity(agent: string): Activity {
  const task = { id: '1.1', title: 'T', description: 'Do it', after: [], scope: [], accept: ['it works'] };
  return {
    key: delegation,
    wave: 1,
    task: { ...task, tier: 'standard', agent, done: false },
    role: 'work',
    earlier: [],
    notes: [],
    room,
    registered: {
      kind: 'delegation.registered',
      version: 1,
      at: 0,
      delegation,
      task: '1.1',
      attempt: 1,
      agent,
      tier: 'standard',
      class: 'implementing',
      path: ['orchestrator', 'run', agent],
      deadline: 60_000,
    },
  };
}

const account = {
  schema_version: '1.0.0',
  run_id: run,
  task_id: '1.1',
  status: 'completed',
  files_touched: [],
  acceptance_check: [{ criterion: 'it works', status: 'pass', evidence: 'ran it: 1 passed' }],
  notes_for_orchestrator: [],
  worklog_path: 'w.jsonl',
  summary: 'It was there already, and a test shows it.',
  decisions: ['Left it alone'],
};

interface Said {
  readonly text: string;
  readonly write?: Readonly<Record<string, string>>;
  readonly usage?: TurnUsage;
  /** By default, the text is returned. */
  readonly end?: ScriptedTurn['end'];
}

interface Performed extends ActivityEnd {
  readonly task: DriverTask;
  readonly prompt: string;
  readonly repairs: readonly string[];
  readonly notes: readonly Note[];
  readonly report: string | undefined;
}

interface Program {
  /** Its exit code is enough. */
  readonly exitCodeIsEnough?: true;
  readonly changed?: readonly string[];
  readonly role?: Activity['role'];
  readonly clock?: Clock;
}

/** The turns are those of a scripted agent, which was told to return in this way. `$HERE` is the folder it works in. */
async function perform(
  by: ReturnWay,
  agent: string,
  turns: readonly Said[],
  { exitCodeIsEnough, changed = ['src/half.ts'], role = 'work', clock = systemClock }: Program = {},
): Promise<Performed> {
  const [project, directory] = [folder(), folder({ 'src/a.ts': 'a' })];
  const here = (text: string): string => text.replaceAll('$HERE', directory);
  const scripted = turns.map(
    ({ text, write = {}, usage, end = { kind: 'return', text: here(text) } }): ScriptedTurn => {
      const files = Object.fromEntries(Object.entries(write).map(([path, words]) => [path, here(words)]));
      return { after: 0, write: files, end, ...defined({ usage }) };
    },
  );
  const driver = scriptedDriver({ name: 'scripted', scenario: { tasks: { '1.1': [{ turns: scripted }] } } });
  const [repairs, notes]: [string[], Note[]] = [[], []];
  let given: DriverTask | undefined;
  const ended = await performDelegation({
    project,
    environment: process.env,
    run,
    agents: agentsByName(),
    contracts: contractsByName(),
    clock,
    limits: usualLimits,
    directoryOf: () => directory,
    workspace: {
      open: async () => ({ directory, room, linked: [], variables: {} }),
      changedFiles: async () => [...changed],
      hasChanges: async () => changed.length > 0,
    },
    driver: {
      ...driver,
      returnWay: () => by,
      start: (task: DriverTask, signal, note) => {
        given = task;
        const conversation = driver.start(task, signal, note);
        const first = conversation.first.then((turn) =>
          turn.end === 'returned' ? { ...turn, ...defined({ exitCodeIsEnough }) } : turn,
        );
        return { ...conversation, first, repair: (message) => (repairs.push(message), conversation.repair(message)) };
      },
    },
  })({ ...activity(agent), role }, new AbortController().signal, (note) => notes.push(note));
  const kept =
    ended.outcome.report === undefined ? undefined : readFileSync(join(project, ended.outcome.report), 'utf8');
  if (given === undefined) throw new Error('no conversation began');
  return { ...ended, task: given, prompt: given.prompt, repairs, notes, report: kept };
}

const workerReport = findContract(contractsByName(), 'worker-report');
const json = JSON.stringify(account);

describe.each(['tool', 'schema'] as const)('by %s', (by) => {
  it('one JSON object is what was asked for, and its report can be read by sections', async () => {
    const { prompt, outcome, report = '' } = await perform(by, 'worker', [{ text: json }]);
    expect(prompt).toContain('Write no report file');
    expect(outcome).toMatchObject({ status: 'completed', summary: account.summary, repairs: 0, degraded: [] });
    expect(report).toContain(`\n## Summary\n\n${account.summary}\n`);
    expect(report).toContain('\n## Decisions\n');
    const reading = read(workerReport, report);
    expect(reading).toMatchObject({ ok: true, result: { summary: account.summary, deviations: [] } });
  });

  it('the fields count for more than an unrequested file', async () => {
    const file = `.divisi/runs/${run}/reports/wave-1/task-1.1.md`;
    const { report } = await perform(by, 'worker', [{ text: json, write: { [file]: 'draft' } }]);
    expect(report).toContain('## Summary');
  });

  it('a violation is repaired by the same way', async () => {
    const wrong = JSON.stringify({ ...account, status: 'splendid' });
    const { outcome, repairs, notes, report } = await perform(by, 'worker', [{ text: wrong }, { text: json }]);
    expect(outcome).toMatchObject({ status: 'completed', repairs: 1 });
    expect(repairs).toHaveLength(1);
    expect(repairs[0]).toContain('status [not-a-choice]');
    expect(repairs[0]?.includes('submit_result')).toBe(by === 'tool');
    expect(notes.filter(({ kind }) => kind === 'return.refused')).toHaveLength(1);
    expect(report).toContain('## Summary');
  });

  it('nothing that could be read is asked for again as JSON', async () => {
    const { repairs } = await perform(by, 'worker', [{ text: 'All done!' }, { text: json }]);
    expect(repairs[0]).toContain('[no-return]: expected a return in the json format; got All done!');
  });

  it("last words in the contract's own form are taken anyway", async () => {
    const reading = read({ ...workerReport, wireFormat: 'json' }, json);
    const text = reading.ok ? print(workerReport, reading.result) : '';
    const { outcome, report } = await perform(by, 'worker', [{ text }]);
    expect(outcome).toMatchObject({ status: 'completed', repairs: 0 });
    expect(report).toBe(text);
  });

  it('what a line points at stays the report, also when the line is said again', async () => {
    const path = `.divisi/runs/${run}/reports/wave-1/task-1.1.md`;
    const verdict = { priority: 'LOW', action: 'rename-helper', path };
    const turns = [
      { text: JSON.stringify({ ...verdict, priority: 'odd' }), write: { [path]: '# What I saw\n' } },
      { text: JSON.stringify(verdict) },
    ];
    const { prompt, outcome, report } = await perform(by, 'wave-reviewer', turns);
    expect(prompt).toContain(`Write the full text to ${path} first.`);
    expect(outcome).toMatchObject({ repairs: 1, verdict: { priority: 'LOW', action: 'rename-helper' } });
    expect(report).toBe('# What I saw\n');
  });
});

it('a message is asked for and read as ever: JSON is another form than the one asked for', async () => {
  const { prompt, outcome, report } = await perform('message', 'worker', [{ text: json }]);
  expect(prompt).toContain('Then answer with this one line');
  expect(outcome.status).toBe('completed');
  expect(report).toBe(json);
});

describe('a report at its assigned path', () => {
  const path = `.divisi/runs/${run}/reports/wave-1/task-1.1.md`;
  const reading = read({ ...workerReport, wireFormat: 'json' }, json);
  const good = reading.ok ? print(workerReport, reading.result) : '';
  const bad = good.replace('status: done', 'status: splendid');
  const absolute = good
    .replace('files_touched: []', 'files_touched: [{ resource: $HERE/src/a.ts, action: edit }]')
    .replace('w.jsonl', '$HERE/w.jsonl');

  it.each(['All done!', `Task done. Report: $HERE/${path}`, 'Task done. Report: /etc/passwd', ''])(
    'is the result, and %j only points at it',
    async (text) => {
      const { outcome, repairs, report } = await perform('message', 'worker', [{ text, write: { [path]: good } }]);
      expect(outcome).toMatchObject({ status: 'completed', summary: account.summary, repairs: 0 });
      expect(repairs).toEqual([]);
      expect(report).toBe(good);
    },
  );

  it('names its files relative to the folder, however they are written', async () => {
    const { outcome } = await perform('message', 'worker', [{ text: 'Done.', write: { [path]: absolute } }]);
    expect(outcome).toMatchObject({ status: 'completed', files: ['src/a.ts'] });
  });

  it('is asked for again where it was asked for, and what a message says instead is not kept', async () => {
    const turns = [{ text: 'Done.', write: { [path]: bad } }, { text: 'I am done!' }, { text: 'As I said.' }];
    const { outcome, repairs, report } = await perform('message', 'worker', turns);
    expect(repairs[0]).toContain('- status [not-a-choice]');
    expect(repairs[0]).toContain(`Then answer with this one line and nothing else: Task <status>. Report: ${path}`);
    expect(outcome).toMatchObject({ status: 'blocked', summary: account.summary, repairs: 2 });
    expect(report).toBe(bad);
  });

  it.each([
    ['Done.', 'the return [no-return]: expected a return in the report format; got Done.'],
    [`Task done. Report: ${path}`, 'the return [no-return]: expected a return in the report format; got my notes'],
  ])('that is none is not mistaken for the words %s', async (text, fault) => {
    const turns = [{ text, write: { [path]: 'my notes' } }, { text: good }];
    const { repairs } = await perform('message', 'worker', turns);
    expect(repairs[0]).toContain(`- ${fault}\n`);
  });

  it('may be repaired in the message as well', async () => {
    const turns = [{ text: 'Done.', write: { [path]: bad } }, { text: good }];
    const { outcome, report } = await perform('message', 'worker', turns);
    expect(outcome).toMatchObject({ status: 'completed', repairs: 1 });
    expect(report).toBe(good);
  });

  it('that came as a message is not replaced by the words after it', async () => {
    const turns = [{ text: bad }, { text: 'I am done!' }, { text: 'Really.' }];
    const { outcome, report } = await perform('message', 'worker', turns);
    expect(outcome).toMatchObject({ status: 'blocked', summary: account.summary });
    expect(report).toBe(bad);
  });

  it('does not decide for a review: its line does', async () => {
    const { outcome } = await perform('message', 'wave-reviewer', [
      { text: 'Looks fine.', write: { [path]: `LOW|rename-helper|${path}\n` } },
    ]);
    expect(outcome.status).not.toBe('completed');
  });
});

it('what was submitted before a crash is found again, and its report can be read', async () => {
  const project = folder();
  const recover = recoverDelegation({
    project,
    environment: process.env,
    run,
    agents: agentsByName(),
    contracts: contractsByName(),
    directoryOf: () => project,
    driver: { recover: async () => json },
  });
  const ended = await recover(activity('worker'), 0);
  expect(ended?.outcome).toMatchObject({ status: 'completed', degraded: ['recovered'] });
  const report = join(project, ended?.outcome.report ?? '');
  expect(existsSync(report) && readFileSync(report, 'utf8')).toContain('## Summary');
});

describe('what the turns used', () => {
  const wrong = { text: 'no return' };
  it.each<[readonly (TurnUsage | undefined)[], TurnUsage | undefined]>([
    [
      [
        { tokens: 5, source: 'x' },
        { tokens: 7, source: 'x' },
      ],
      { tokens: 12, source: 'x' },
    ],
    [[{ tokens: 5 }, undefined], { tokens: 5, isPartial: true }],
    [[undefined, undefined], undefined],
  ])('%j is %j together', async ([first, second], usage) => {
    const turns = [
      { ...wrong, ...defined({ usage: first }) },
      { text: json, ...defined({ usage: second }) },
    ];
    const { outcome } = await perform('tool', 'worker', turns);
    expect(outcome.usage).toEqual(usage);
  });
});

describe('a limit', () => {
  const limit = { kind: 'fail', cause: 'limit', message: 'stopped at its limit of 9 turns' } as const;

  it('leaves partial work, whatever was returned before', async () => {
    const wrong = JSON.stringify({ ...account, status: 'splendid' });
    for (const before of [[], [{ text: wrong }]]) {
      const { outcome } = await perform('tool', 'worker', [...before, { text: '', end: { ...limit, said: 'half' } }]);
      expect(outcome).toMatchObject({
        status: 'partial',
        failure: { class: 'limit', message: limit.message },
        left: ['src/half.ts'],
      });
    }
  });

  it('does not lose a result that was there', async () => {
    const { outcome } = await perform('tool', 'worker', [{ text: '', end: { ...limit, said: json } }]);
    expect(outcome).toMatchObject({ status: 'completed', degraded: ['recovered'] });
  });
});

it('a submitted result is checked as the return will be, for the limits of its tier', async () => {
  const { task } = await perform('tool', 'worker', [{ text: json }]);
  expect(await task.refuse(json)).toBeUndefined();
  expect(await task.refuse(JSON.stringify({ ...account, status: 'splendid' }))).toContain('- status [not-a-choice]');
  expect(task.limits).toEqual(usualLimits.standard);
});

const noReport = 'no report: the exit code and the diff are all there is';

describe('an exit code', () => {
  it('is enough where the driver says so: the prompt asks for no return, and what is printed is not read', async () => {
    const refused = JSON.stringify({ ...account, status: 'splendid' });
    for (const text of ['', 'patched 3 files', refused, json]) {
      const { outcome, prompt, repairs, report } = await perform('exit-code', 'worker', [{ text }], { changed: [] });
      expect(outcome).toMatchObject({ status: 'completed', summary: noReport, degraded: ['no-report'], repairs: 0 });
      expect(outcome.claims).toMatchObject({ files: 'none', checks: [], findings: [{ kind: 'no-report' }] });
      expect(report).toBe(text === '' ? `${noReport}\n` : `${noReport}. Its output:\n\n${text}`);
      expect(repairs).toEqual([]);
      expect(prompt).toContain('# How to return\n\nNothing you print is read');
      expect(prompt).not.toContain('Fields:');
    }
  });

  it('is enough for a program that changed files and printed nothing that reads as a return', async () => {
    const { outcome, prompt } = await perform('message', 'worker', [{ text: 'All done!' }], { exitCodeIsEnough: true });
    expect(outcome).toMatchObject({ status: 'completed', summary: noReport, degraded: ['no-report'] });
    expect(prompt).toContain('Fields:');
  });

  it.each([
    ['it changed nothing', 'All done!', 'worker', { changed: [] }, 'no-return'],
    ['it printed a return with a fault', JSON.stringify({ ...account, status: 'splendid' }), 'worker', {}, 'status'],
    ['its line names a report that is missing', 'Task done. Report: r.md', 'worker', {}, 'report-not-read'],
    ['it reviews', 'All good.', 'wave-reviewer', { role: 'wave-review' }, 'no-return'],
    ['its contract judges', 'All good.', 'code-reviewer', {}, 'no-return'],
  ] as const)('is not enough when %s', async (_, text, agent, program, code) => {
    const { outcome } = await perform('message', agent, [{ text }], { ...program, exitCodeIsEnough: true });
    expect(outcome).toMatchObject({ status: 'blocked', failure: { class: 'contract-violation' } });
    expect(outcome.status === 'completed' ? '' : outcome.failure.message).toContain(code);
  });

  it('does not judge: a reviewer of the same driver is asked for its verdict', async () => {
    const { outcome, prompt } = await perform('exit-code', 'wave-reviewer', [{ text: '' }], { role: 'wave-review' });
    expect(outcome.status).toBe('blocked');
    expect(prompt).toContain('Fields:');
  });

  it('counts less than a valid return', async () => {
    const { outcome } = await perform('message', 'worker', [{ text: json }], { exitCodeIsEnough: true });
    expect(outcome).toMatchObject({ summary: account.summary, degraded: [] });
  });
});

it('the deadline is the one that was given, however the clock steps meanwhile', async () => {
  for (const step of [-3_600_000, 3_600_000]) {
    let now = 1_700_000_000_000;
    const armed: number[] = [];
    const after: Clock['after'] = (milliseconds) => {
      armed.push(milliseconds);
      return () => undefined;
    };
    const clock = { now: () => (now += step), after };
    expect((await perform('message', 'worker', [{ text: 'x' }], { clock })).prompt).toContain('60 seconds');
    expect(armed).toEqual([60_000]);
  }
});

describe('an agent that answers nothing', () => {
  const empty = [{ text: ' \n' }, { text: json }];

  it('and changes nothing has no work to report: it is not asked for a return', async () => {
    const { outcome, repairs } = await perform('message', 'worker', empty, { changed: [] });
    const failure = { class: 'no-answer', message: 'answered nothing, changed nothing' };
    expect({ outcome, repairs }).toMatchObject({ outcome: { status: 'failed', failure, repairs: 0 }, repairs: [] });
  });

  it('and changes files is asked for its return', async () => {
    const { outcome, repairs } = await perform('message', 'worker', empty);
    expect([outcome.status, repairs.length]).toEqual(['completed', 1]);
  });

  it.each([
    ['refusal', [], 'answered nothing, changed nothing: declined'],
    ['refusal', ['a.ts'], 'declined'],
    ['context-full', [], 'declined'],
    ['authentication', [], 'declined'],
  ] as const)('by %s keeps that class (%j)', async (cause, changed, message) => {
    const end = { kind: 'fail', cause, message: 'declined', said: '' } as const;
    const { outcome } = await perform('message', 'worker', [{ text: '', end }], { changed });
    expect(outcome).toMatchObject({ status: 'failed', failure: { class: cause, message } });
  });
});
