import { describe, expect, it } from 'vitest';
import { sampleAssignment } from '../../tests/support/samples.ts';
import { DivisiError } from '../base/error.ts';
import { checkAssignment, parseAssignment } from './assignment.ts';
import { depthOf, maxDepth, pathRefusal } from './path.ts';

type Json = Record<string, unknown>;

const task = (changes: Json): Json =>
  sampleAssignment({ task: { ...(sampleAssignment()['task'] as Json), ...changes } });
const route = (...agents: string[]): Json =>
  sampleAssignment({
    delegation_path: ['orchestrator', 'implement', ...agents],
    delegation_depth: agents.length,
    agent: agents.at(-1) ?? '',
  });

function without(assignment: Json, path: string): Json {
  const [first = '', ...rest] = path.split('.');
  if (rest.length > 0) return { ...assignment, [first]: without(assignment[first] as Json, rest.join('.')) };
  return Object.fromEntries(Object.entries(assignment).filter(([key]) => key !== first));
}

describe('a valid assignment', () => {
  it('is returned unchanged', () => {
    expect(checkAssignment(sampleAssignment())).toEqual({ ok: true, assignment: sampleAssignment() });
    expect(parseAssignment(sampleAssignment())).toEqual(sampleAssignment());
  });

  it.each([
    ['depth 1', route('worker')],
    ['depth 2', route('task-executor', 'worker')],
    ['depth 3', route('task-executor', 'implementer', 'git-workflow-manager')],
    ['an agent with the name of the command', route('implement')],
    ['a session id with a date', sampleAssignment({ session_id: 'sess_20260101_abc123' })],
    ['no context', without(sampleAssignment(), 'task_context')],
    ['an empty context', sampleAssignment({ task_context: {} })],
    ['no worklog', without(sampleAssignment(), 'task.worklog_path')],
    ['an agent of a plugin', route('some-toolkit:code-reviewer')],
  ])('%s', (_what, assignment) => {
    expect(checkAssignment(assignment)).toMatchObject({ ok: true });
  });

  it('leaves out lists that are empty by default', () => {
    const assignment = parseAssignment(without(without(sampleAssignment(), 'task.acceptance'), 'task.scope'));
    expect(assignment.task).toMatchObject({ acceptance: [], scope: [] });
  });

  it('normalizes paths', () => {
    const assignment = parseAssignment(task({ report_path: './reports//2.3.md', scope: ['src/./cart/', '.'] }));
    expect(assignment.task).toMatchObject({ report_path: 'reports/2.3.md', scope: ['src/cart', '.'] });
  });
});

describe('a fault', () => {
  const relative = 'a path relative to the project root, without ..';

  it.each<[string, unknown, string, string]>([
    [
      'a depth that does not count the path',
      sampleAssignment({ delegation_depth: 2 }),
      'delegation_depth',
      'the number of agents',
    ],
    [
      'a depth that is not a number',
      sampleAssignment({ delegation_depth: '1' }),
      'delegation_depth',
      'expected number',
    ],
    [
      'depth 4',
      route('a', 'b', 'c', 'd'),
      'delegation_path',
      'depth 4 is more than 3: orchestrator → implement → a → b → c → d',
    ],
    [
      'a cycle',
      route('a', 'b', 'a'),
      'delegation_path',
      'a appears twice, a cycle: orchestrator → implement → a → b → a',
    ],
    [
      'no agent',
      sampleAssignment({ delegation_path: ['orchestrator', 'implement'], delegation_depth: 0, agent: 'implement' }),
      'delegation_path',
      'no agent in the path: orchestrator → implement',
    ],
    [
      'a path that ends elsewhere',
      sampleAssignment({ agent: 'fixer' }),
      'delegation_path',
      'ends with the agent of the assignment',
    ],
    ['a bad session id', sampleAssignment({ session_id: 'sess_1_x' }), 'session_id', 'pattern'],
    ['another version', sampleAssignment({ schema_version: '2.0.0' }), 'schema_version', '"1.0.0"'],
    ['no time', sampleAssignment({ timeout: 0 }), 'timeout', '>0'],
    ['more than its class may take', sampleAssignment({ timeout: 14_401 }), 'timeout', 'at most 14400 seconds'],
    ['half a second', sampleAssignment({ timeout: 0.5 }), 'timeout', 'expected int'],
    ['an absolute report path', task({ report_path: '/etc/passwd' }), 'task.report_path', relative],
    ['a report path on a drive', task({ report_path: 'C:\\x.md' }), 'task.report_path', relative],
    ['a report path at home', task({ report_path: '~/x.md' }), 'task.report_path', relative],
    ['a report path that leads out', task({ report_path: 'a/../../x.md' }), 'task.report_path', relative],
    ['a report path that leads out with \\', task({ report_path: 'a\\..\\x.md' }), 'task.report_path', relative],
    ['an empty report path', task({ report_path: '' }), 'task.report_path', relative],
    ['a report path with NUL', task({ report_path: 'a\0.md' }), 'task.report_path', relative],
    ['a worklog path that leads out', task({ worklog_path: '../x.jsonl' }), 'task.worklog_path', relative],
    ['a scope that leads out', task({ scope: ['src', '..'] }), 'task.scope.1', relative],
    ['a forbidden path that leads out', task({ forbidden: ['..'] }), 'task.forbidden.0', relative],
    ['an empty description', task({ description: '' }), 'task.description', '>=1'],
    ['a description without end', task({ description: 'x'.repeat(20_001) }), 'task.description', '<=20000'],
    ['an extra key', sampleAssignment({ more: 1 }), '', 'Unrecognized key: "more"'],
    ['an extra key in the task', task({ more: 1 }), 'task', 'Unrecognized key: "more"'],
    [
      'an extra key in the context',
      sampleAssignment({ task_context: { more: 1 } }),
      'task_context',
      'Unrecognized key: "more"',
    ],
    [
      'a number of the task below zero',
      sampleAssignment({ task_context: { task_number: -1 } }),
      'task_context.task_number',
      '>=0',
    ],
    ['a list', [], '', 'expected object'],
    ['nothing', null, '', 'expected object'],
  ])('%s', (_what, assignment, path, expected) => {
    const reading = checkAssignment(assignment);
    expect(reading).toMatchObject({ ok: false, faults: [{ path, expected: expect.stringContaining(expected) }] });
    expect(reading.ok ? [] : reading.faults).toHaveLength(1);
  });

  it.each([
    'schema_version',
    'run_id',
    'session_id',
    'delegation_depth',
    'delegation_path',
    'timeout',
    'agent',
    'contract',
    'task',
    'task.id',
    'task.description',
    'task.report_path',
  ])('%s is missing', (path) => {
    expect(checkAssignment(without(sampleAssignment(), path))).toMatchObject({ ok: false, faults: [{ path }] });
  });

  it('is reported with all others', () => {
    const reading = checkAssignment({ ...task({ report_path: '/x', scope: ['..'] }), timeout: -1 });
    expect(reading.ok ? [] : reading.faults.map(({ path }) => path)).toEqual([
      'timeout',
      'task.scope.0',
      'task.report_path',
    ]);
  });

  it('is reported for an empty path, whatever else that breaks', () => {
    expect(checkAssignment(sampleAssignment({ delegation_path: [] }))).toMatchObject({
      ok: false,
      faults: [{ path: 'delegation_path' }, {}, {}, {}],
    });
  });

  it('is a typed error for callers of parseAssignment', () => {
    const attempt = (): unknown => parseAssignment(sampleAssignment({ timeout: -1, run_id: '' }));
    expect(attempt).toThrow(DivisiError);
    expect(attempt).toThrow(expect.objectContaining({ code: 'ASSIGNMENT_INVALID' }));
    expect(attempt).toThrow(/run_id: .*; timeout: /);
  });
});

describe('the path of a delegation', () => {
  it.each([
    [[], 0],
    [['orchestrator'], 0],
    [['orchestrator', 'implement'], 0],
    [['orchestrator', 'implement', 'a'], 1],
    [['orchestrator', 'implement', 'task-executor', 'implementer', 'git-workflow-manager'], maxDepth],
  ])('%j has depth %i', (path, depth) => {
    expect(depthOf(path)).toBe(depth);
  });

  it('allows an agent named like the command, but no agent twice', () => {
    expect(pathRefusal(['o', 'a', 'a'])).toBeUndefined();
    expect(pathRefusal(['o', 'c', 'a', 'a'])).toBe('a appears twice, a cycle: o → c → a → a');
  });
});
