/** Answers of the tools without a run: open work, previews of plans, errors. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connect } from '../support/mcp-client.ts';
import { projectFiles } from '../support/project.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { divisi } from '../support/divisi.ts';

const folder = temporaryFolders();
const cwd = folder(
  projectFiles({
    title: 'Dark mode',
    waves: [['1.1', '1.2 after 1.1']],
    files: { 'sub/bad.md': '# Bad\n## Wave 1\n' },
  }),
);

/** From elsewhere: the project is named. */
const connection = connect({ cwd: folder(), args: ['--project', cwd, '--trust-plans'] });

describe('without a run', () => {
  it('offers the tools, and keeps standard error silent', async () => {
    const { client, stderr } = await connection;
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['run', 'status', 'report', 'answer', 'delegate']);
    expect(client.getServerVersion()).toMatchObject({ name: 'divisi' });
    expect(stderr()).toBe('');
  });

  it('lists open work', async () => {
    const { call } = await connection;
    expect(await call('run')).toBe(
      '<divisi-work content="data">\n<plan plan="plan.md">Dark mode</plan>\n</divisi-work>\nnext: run {"resume":"RUN"} or run {"plan":"PATH"}.',
    );
  });

  it('shows a plan, and starts nothing', async () => {
    const { call } = await connection;
    const text = await call('run', { plan: 'plan.md', mode: 'plan' });
    expect(text).toContain(
      '<divisi-plan file="plan.md" title="Dark mode" content="data">\nwave 1 Part 1\n[ ] 1.1 Write the file of 1.1',
    );
    expect(text).toContain('Nothing was started.');
    expect(await call('status', {}, { isError: true })).toContain('RUN_UNKNOWN: this project has no runs');
  });

  it.each([
    ['run', { plan: 'none.md' }, 'PLAN_UNREADABLE'],
    ['run', { plan: '--driver=evil' }, 'PLAN_UNREADABLE'],
    ['run', { plan: '../../etc/passwd.md' }, 'PLAN_UNREADABLE'],
    ['run', { plan: 'sub/bad.md' }, 'PLAN_INVALID'],
    ['run', { plan: 'plan.md', resume: 'run_1' }, 'USAGE'],
    ['run', { resume: 'from wave two' }, 'USAGE'],
    ['run', { resume: 'run_1' }, 'RUN_UNKNOWN'],
    ['run', { plan: 7 }, 'USAGE'],
    ['run', { here: true }, 'USAGE'],
    ['report', { task: '1.1' }, 'RUN_UNKNOWN'],
    ['answer', {}, 'USAGE'],
    ['answer', { approve: true }, 'RUN_UNKNOWN'],
    ['delegate', { task: 'Do it.', scope: ['/etc'] }, 'PLAN_INVALID'],
  ])('%s %j is refused in a few words', async (tool, input, code) => {
    const { call } = await connection;
    const text = await call(tool, input, { isError: true });
    expect(text).toMatch(new RegExp(`^${code}: .+\n(?:expected: .+\n)?next: .+$`));
    expect(text.length).toBeLessThanOrEqual(600);
  });

  it('knows no other tool', async () => {
    const { client } = await connection;
    await expect(client.callTool({ name: 'shell' })).rejects.toThrow('unknown tool');
  });
});

it('in a conversation that only plans, a task is only shown', async () => {
  const { call } = await connection;
  const text = await call('delegate', { task: 'Say hello.', permission_mode: 'plan' });
  expect(text).toContain('[ ] 1.1 Say hello. (standard; worker)');
  expect(text).toContain('Nothing was started.');
  expect(existsSync(join(cwd, '.divisi/plans'))).toBe(false);
});

it('an agent of a run starts none, and answers nothing', async () => {
  const { call } = await connect({ cwd, variables: { DIVISI_DELEGATION: 'sess_1767225600_k3x9q1' } });
  for (const [tool, input] of [
    ['run', { plan: 'plan.md' }],
    ['delegate', { task: 'Do it.' }],
    ['answer', { approve: true }],
  ] as const) {
    expect(await call(tool, input, { isError: true })).toContain(
      'DELEGATION_REFUSED: this conversation is an agent of a run',
    );
  }
  expect(await call('status', {}, { isError: true })).toContain('RUN_UNKNOWN');
});

it('divisi mcp --help says how a client starts it', async () => {
  const { code, stdout } = await divisi(['mcp', '--help'], { cwd: folder() });
  expect(code).toBe(0);
  expect(stdout).toContain('Usage: divisi mcp [options]');
  expect(stdout).toContain('CLAUDE_PROJECT_DIR');
  expect(stdout).toContain('Example:\n  claude mcp add divisi -- divisi mcp');
});
