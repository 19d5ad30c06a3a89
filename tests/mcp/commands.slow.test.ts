/** Commands about backlog tasks through the server, with a real agent program: their results, and that they outlive server and client. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { readLedger } from '../../src/project/project-ledger.ts';
import {
  agentStarts,
  type Behaviours,
  commandProject,
  letGo,
  statusIn,
  todoOf,
  uncommitted,
} from '../support/command-project.ts';
import { connect } from '../support/mcp-client.ts';
import { ledgerOf } from '../support/project.ts';
import { until } from '../support/until.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { divisi } from '../support/divisi.ts';
import { parseXml } from '../support/xml.ts';

// Several processes each, on machines that have other things to do.
vi.setConfig({ testTimeout: 60_000 });

const folder = temporaryFolders();
const project = (behave: Behaviours = {}): string =>
  commandProject(folder(), { behave, files: { 'TODO.md': todoOf('lean') } });
const untilRunning = async (cwd: string): Promise<void> =>
  until(
    () => agentStarts(cwd).length,
    (length) => length > 0,
  );
/** Who holds the newest run. */
function holderOf(cwd: string): number {
  const ledger = readLedger(cwd);
  try {
    const [row] = ledger.runs();
    return row === undefined ? 0 : (ledger.holder(row.run)?.holder.pid ?? 0);
  } finally {
    ledger.close();
  }
}
const report = '.divisi/specs/12_add_a_login/reports/research-001.md';

it('a task from its research to its review: each a brief, the files in sync, a commit each', async () => {
  const cwd = project();
  const { call } = await connect({ cwd });
  const seen: string[] = [];
  const first = await call(
    'run',
    { command: 'research 12 the lexer first' },
    { onprogress: ({ message = '' }) => seen.push(message) },
  );
  const { run } = ledgerOf(cwd).report;
  expect(first).toBe(
    `<divisi-run id="${run}" status="completed" command="research 12" task="researched" content="data">` +
      `<artifacts>${report}</artifacts><summary of="12">Did what 12 asks for.</summary></divisi-run>\n` +
      'next: run {"command":"plan 12"}, if the person wants it.',
  );
  expect(first.length).toBeLessThanOrEqual(600);
  expect(seen[0]).toMatch(/^research 12: \w+/);
  expect(statusIn(cwd)).toBe('RESEARCHED');
  expect(readFileSync(join(cwd, report), 'utf8')).toBe('# Report on 12\n');
  const briefs = [];
  for (const command of ['plan 12', 'implement 12', 'review 12']) briefs.push(await call('run', { command }));
  expect(briefs.map((text) => Object.fromEntries(parseXml(text.split('\n')[0] ?? '').attributes))).toMatchObject([
    { command: 'plan 12', status: 'completed', task: 'planned' },
    { command: 'implement 12', status: 'completed', task: 'completed', phases: '2/2' },
    { command: 'review 12', status: 'completed' },
  ]);
  expect(briefs.every((text) => text.length <= 600)).toBe(true);
  expect(agentStarts(cwd)).toEqual([
    '12 1 lean-research-agent',
    '12 1 planner',
    '12.1 1 lean-implementation-agent',
    '12.2 1 lean-implementation-agent',
    '12 1 reviewer',
  ]);
  expect(statusIn(cwd)).toBe('COMPLETED');
  expect(uncommitted(cwd)).toEqual([]);
});

it('the prompt is data: no shell and no option is made of it', async () => {
  const cwd = project();
  const { call } = await connect({ cwd });
  const prompt = '--driver x; touch owned $(touch owned) `touch owned`';
  expect(await call('run', { command: `research 12 ${prompt}` })).toContain('status="completed"');
  expect(existsSync(join(cwd, 'owned'))).toBe(false);
  const { events } = ledgerOf(cwd);
  expect(events.find(({ kind }) => kind === 'run.created')).toMatchObject({ plan: { goal: prompt } });
});

it('impossible commands are refused before anything is delegated', async () => {
  const cwd = project();
  const { call } = await connect({ cwd });
  const refused: readonly (readonly [Record<string, unknown>, string])[] = [
    [{ command: 'research 99' }, 'TASK_UNKNOWN'],
    [{ command: 'deploy 12' }, 'USAGE'],
    [{ command: 'revise 12' }, 'TASK_TRANSITION'],
    [{ command: 'research 12', plan: 'plan.md' }, 'USAGE'],
    [{ command: `feature ${join(folder({ 'secret.md': 'secret, keys' }), 'secret.md')}` }, 'no file'],
  ];
  for (const [input, code] of refused) {
    const text = await call('run', input, { isError: true });
    expect(text).toContain(code);
    expect(text.length).toBeLessThanOrEqual(600);
  }
  expect(await call('run', { command: 'research 12', mode: 'plan' })).toContain('Not started');
  const inside = await connect({ cwd, variables: { DIVISI_DELEGATION: 'sess_1700000000_abc123' } });
  expect(await inside.call('run', { command: 'research 12' }, { isError: true })).toContain('DELEGATION_REFUSED');
  expect(agentStarts(cwd)).toEqual([]);
  expect(statusIn(cwd)).toBe('NOT STARTED');
});

it('an invalid return is reported, and nothing is marked as done', async () => {
  const cwd = project({ '12 1': 'phantom' });
  const { call } = await connect({ cwd });
  const text = await call('run', { command: 'research 12' });
  expect(text).toContain('status="failed" command="research 12"');
  expect(text).toContain('run {"command":"research 12"} retries.');
  expect(text.length).toBeLessThanOrEqual(600);
  expect(statusIn(cwd)).toBe('NOT STARTED');
});

it('a call that a person cancels pauses the command; given again, it continues', async () => {
  const cwd = project({ '12 1': 'hold', '12 2': 'hold' });
  const { call } = await connect({ cwd });
  const esc = new AbortController();
  const given = call('run', { command: 'research 12' }, { signal: esc.signal });
  const ended = given.catch((error: unknown) => String(error));
  await untilRunning(cwd);
  esc.abort('AbortError: user-cancel');
  expect(await ended).toContain('user-cancel');
  await until(
    () => ledgerOf(cwd).report.status,
    (status) => status === 'paused',
  );
  expect((await divisi(['status', '--delegations'], { cwd })).stdout).toContain(
    '`divisi research 12` or `divisi resume',
  );
  letGo(cwd);
  const text = await call('run', { command: 'research 12' });
  expect(text).toContain('status="completed" command="research 12" task="researched"');
  expect(ledgerOf(cwd).events.filter(({ kind }) => kind === 'run.created')).toHaveLength(1);
});

it('outlives the server; the same command waits for it, another one is refused', async () => {
  const cwd = project({ '12 1': 'hold', '12 2': 'hold' });
  const one = await connect({ cwd });
  const lost = one.call('run', { command: 'research 12 the lexer' }).catch(() => 'lost');
  await untilRunning(cwd);
  process.kill(one.pid, 'SIGKILL');
  expect(await lost).toBe('lost');
  const other = await connect({ cwd });
  expect(await other.call('status')).toContain('status="running" command="research 12"');
  expect(await other.call('run', { command: 'plan 12' }, { isError: true })).toContain('RUN_UNFINISHED');
  const registry = JSON.parse((await divisi(['status', '--delegations', '--json'], { cwd })).stdout) as unknown;
  expect(registry).toMatchObject({
    runs: [
      {
        command: 'research',
        number: 12,
        language: 'lean',
        status: 'running',
        delegations: [
          {
            agent: 'lean-research-agent',
            path: ['orchestrator', 'research', 'lean-research-agent'],
            depth: 1,
            status: 'running',
          },
        ],
        stages: { current: 'invocation', completed: ['parse', 'preflight', 'routing', 'context'], skipped: [] },
      },
    ],
  });
  const again = other.call('run', { command: 'research 12 the lexer' });
  letGo(cwd);
  expect(await again).toContain('status="completed" command="research 12" task="researched"');
  expect(agentStarts(cwd)).toEqual(['12 1 lean-research-agent']);
  const { stdout } = await divisi(['status', '--delegations', '--all', '--json'], { cwd });
  expect(JSON.parse(stdout)).toMatchObject({
    runs: [],
    ended: [
      {
        status: 'completed',
        stages: {
          skipped: [],
          postflight: {
            syncInvoked: true,
            syncCompleted: true,
            todoUpdated: true,
            stateUpdated: true,
            commitCreated: true,
          },
        },
      },
    ],
  });
});

it('backlog tasks are added, listed, blocked and archived through the same tool', async () => {
  const cwd = project();
  const { call } = await connect({ cwd });
  const run = (command: string): Promise<string> => call('run', { command });
  expect(await run('task add --all <b>"Write" the docs</b>')).toContain(
    '<task number="14" status="not started" language="general">--all &lt;b&gt;&quot;Write&quot; the docs&lt;/b&gt;</task>',
  );
  expect(await run('task block 12 no access yet')).toContain('status="blocked"');
  expect(await run('task list blocked')).toMatch(
    /^<divisi-tasks content="data">\n<task number="12" [^\n]*\n<\/divisi-tasks>/,
  );
  expect(await run('task expand 14 The guide; The reference')).toContain('<task number="16"');
  expect(await run('todo')).toContain('<task number="14" status="expanded"');
  expect(await run('task')).not.toContain('number="14"');
  expect(await call('run', { command: 'task show 99' }, { isError: true })).toContain('TASK_UNKNOWN');
  expect(statusIn(cwd)).toBe('BLOCKED');
});

it('features start once: the same words wait for them, others are refused', async () => {
  const cwd = project({ 'auth.doc 1': 'hold', 'auth.doc 2': 'hold' });
  const [one, other] = [await connect({ cwd }), await connect({ cwd })];
  writeFileSync(join(cwd, 'features.md'), '- auth\n');
  const esc = new AbortController();
  const first = one.call('run', { command: 'feature features.md', mode: 'auto' }, { signal: esc.signal }).catch(String);
  await untilRunning(cwd);
  const seen: string[] = [];
  const again = other.call(
    'run',
    { command: 'feature features.md' },
    { onprogress: ({ message = '' }) => seen.push(message) },
  );
  const ended = again.catch(String);
  await until(
    () => seen[0] ?? '',
    (message) => message.includes('auth.doc'),
  );
  const third = await connect({ cwd });
  expect(await third.call('run', { command: 'feature payments' }, { isError: true })).toContain('RUN_UNFINISHED');
  expect((await divisi(['status', '--delegations'], { cwd })).stdout).toContain(
    'orchestrator → feature → todo-doc-generator (depth 1)',
  );
  esc.abort('AbortError: user-cancel');
  expect(await first).toContain('user-cancel');
  expect(await ended).toContain('status="paused"');
  const created = ledgerOf(cwd).events.filter(({ kind }) => kind === 'run.created');
  expect(created).toMatchObject([{ settings: { mode: 'auto' }, workflow: { kind: 'features' } }]);
});

it('the file of a plan is previewed, as in a terminal', async () => {
  const cwd = project();
  writeFileSync(join(cwd, 'plan.md'), '# Plan: Colours\n\n## Wave 1\n\n- [ ] 1.1 Name them\n');
  const { call } = await connect({ cwd });
  expect(await call('run', { command: 'plan plan.md' })).toContain('<divisi-plan file="plan.md" title="Colours"');
  expect(agentStarts(cwd)).toEqual([]);
});

it('a command whose process is killed is interrupted, for the caller and in the registry; given again, it continues', async () => {
  const cwd = project({ '12 1': 'hold' });
  const { call } = await connect({ cwd });
  const given = call('run', { command: 'research 12' });
  await untilRunning(cwd);
  process.kill(holderOf(cwd), 'SIGKILL');
  expect(await given).toContain('status="interrupted" command="research 12"');
  expect((await divisi(['status', '--delegations'], { cwd })).stdout).toMatch(
    /12 by lean-research-agent, interrupted[^]*interrupted at invocation; `divisi research 12` or `divisi resume run_/,
  );
  expect(await call('run', { command: 'research 12' })).toContain('status="completed" command="research 12"');
  expect(agentStarts(cwd)).toEqual(['12 1 lean-research-agent', '12 2 lean-research-agent']);
});
