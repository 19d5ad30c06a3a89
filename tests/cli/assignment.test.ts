/** `divisi assignment check|prompt [FILE|-]` */
import { describe, expect, it } from 'vitest';
import { agentsByName, findAgent } from '../../src/agents/registry.ts';
import * as answers from '../support/answers.ts';
import { ownContract } from '../support/own-contract.ts';
import { sampleAssignment } from '../support/samples.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { divisi } from '../support/divisi.ts';

const folder = temporaryFolders();
const assignment = JSON.stringify(sampleAssignment());

describe('a valid assignment: exit 0', () => {
  it.each([
    ['a file', ['assignment.json'], ''],
    ['standard input', ['-'], assignment],
  ])('check, from %s', async (_what, file, input) => {
    expect(
      await divisi(['assignment', 'check', ...file], { cwd: folder({ 'assignment.json': assignment }), input }),
    ).toEqual({
      code: 0,
      stdout: 'valid: task 2.3 for worker under worker-report\n',
      stderr: '',
    });
  });

  it('check --json gives it back with its defaults', async () => {
    const bare = { id: '1', description: 'd', report_path: './r.md' };
    const { code, stdout } = await divisi(['assignment', 'check', '--json'], {
      cwd: folder(),
      input: JSON.stringify(sampleAssignment({ task: bare })),
    });
    expect(code).toBe(0);
    expect(answers.assignmentValid.parse(JSON.parse(stdout)).assignment.task).toEqual({
      ...bare,
      report_path: 'r.md',
      acceptance: [],
      scope: [],
    });
  });

  it('prompt prints the whole prompt, and the same each time', async () => {
    const [text, json] = await Promise.all([
      divisi(['assignment', 'prompt', 'assignment.json'], { cwd: folder({ 'assignment.json': assignment }) }),
      divisi(['assignment', 'prompt', '--json'], { cwd: folder(), input: assignment }),
    ]);
    expect({ code: text.code, stderr: text.stderr }).toEqual({ code: 0, stderr: '' });
    expect(answers.assignmentPrompt.parse(JSON.parse(json.stdout))).toEqual({
      ok: true,
      agent: 'worker',
      contract: 'worker-report',
      prompt: text.stdout,
    });
    expect(text.stdout.startsWith(findAgent(agentsByName(), 'worker').instructions)).toBe(true);
    expect(text.stdout).toContain('# Your task: 2.3\n');
    expect(text.stdout).toContain('Task <status>. Report: reports/2.3.md\n');
  });

  it('prompt asks for the given way to return', async () => {
    const { code, stdout } = await divisi(['assignment', 'prompt', '--by', 'tool'], {
      cwd: folder(),
      input: assignment,
    });
    expect(code).toBe(0);
    expect(stdout).toContain('Return by calling the tool submit_result of the server divisi once');
    expect(stdout).not.toContain('reports/2.3.md');
  });

  it('prompt finds agent and contract of a plugin, and own contracts', async () => {
    const cwd = folder({ '.divisi/contracts/mine.yaml': ownContract() });
    const own = sampleAssignment({
      agent: 'toolkit:code-reviewer',
      delegation_path: ['orchestrator', 'review', 'toolkit:code-reviewer'],
      contract: 'toolkit:migration-writer',
    });
    const { code, stdout } = await divisi(['assignment', 'prompt'], { cwd, input: JSON.stringify(own) });
    expect(code).toBe(0);
    expect(stdout.startsWith(findAgent(agentsByName(), 'code-reviewer').instructions)).toBe(true);
    expect(stdout).toContain('write one database migration');
  });
});

describe('an assignment with faults: exit 1, all named', () => {
  it.each([
    ['not JSON', '{"a": ', ['']],
    ['nothing', '', ['']],
    [
      'an empty record',
      '{}',
      [
        'schema_version',
        'run_id',
        'session_id',
        'delegation_depth',
        'delegation_path',
        'timeout',
        'agent',
        'contract',
        'task',
      ],
    ],
    [
      'a cycle',
      JSON.stringify(sampleAssignment({ delegation_path: ['o', 'c', 'worker', 'worker'], delegation_depth: 2 })),
      ['delegation_path'],
    ],
  ])('%s', async (_what, input, paths) => {
    const [check, prompt] = await Promise.all([
      divisi(['assignment', 'check'], { cwd: folder(), input }),
      divisi(['assignment', 'prompt', '--json'], { cwd: folder(), input }),
    ]);
    expect([check.code, check.stderr, prompt.code, prompt.stderr]).toEqual([1, '', 1, '']);
    const { faults } = answers.assignmentInvalid.parse(JSON.parse(prompt.stdout));
    expect(faults.map(({ path }) => path)).toEqual(paths);
    expect(check.stdout).toBe(
      [
        'not valid:',
        ...faults.map(({ path, expected }) => `  ${path === '' ? 'the assignment' : path}: ${expected}`),
        '',
      ].join('\n'),
    );
    expect(check.stdout).not.toContain('Invalid input\n');
  });

  it('an unknown contract has its own error: exit 2', async () => {
    const input = JSON.stringify(sampleAssignment({ contract: 'nobody' }));
    const { code, stdout, stderr } = await divisi(['assignment', 'prompt'], { cwd: folder(), input });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('[CONTRACT_UNKNOWN]');
  });
});
