/** The block contracts: the keys of each form, the action that follows, how values are read, and what a missing block leads to. */
import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/contracts/field.ts';
import { readOwnContract } from '../../../src/contracts/own/own-contract.ts';
import { read } from '../../../src/contracts/read/read.ts';
import { actionFor } from '../../../src/contracts/registry.ts';
import type { Reading, Result } from '../../../src/contracts/result.ts';
import { promptSuffix, repairMessage } from '../../../src/contracts/write/prompt.ts';
import { mostRepairs } from '../../../src/core/state/state.ts';
import { mostRounds } from '../../../src/gates/gate-steps.ts';
import { ownContract } from '../../support/own-contract.ts';
import { seed } from '../../support/vectors.ts';
import { contractNamed } from '../../support/wire-returns.ts';

function resultOf(reading: Reading): Result {
  if (!reading.ok) throw new Error(JSON.stringify(reading.violations));
  return reading.result;
}

function faults(reading: Reading): string[] {
  return reading.ok ? [] : reading.violations.map(({ code, path }) => `${code} ${path}`);
}

/** The document's output of an agent with some lines changed; an empty line leaves the key out. */
function outputOf(name: string, changes: Readonly<Record<string, string>> = {}): string {
  return seed(`output-contracts/${name}.txt`)
    .split('\n')
    .map((line) => {
      const key = line.slice(0, line.indexOf(':'));
      return changes[key] === undefined ? line : changes[key] === '' ? '' : `${key}: ${changes[key]}`;
    })
    .join('\n');
}

const readAs = (name: string, changes: Readonly<Record<string, string>> = {}): Reading =>
  read(contractNamed(name), outputOf(name, changes));

function actionOf(name: string, changes: Readonly<Record<string, string>> = {}): string {
  return actionFor(contractNamed(name), resultOf(readAs(name, changes)));
}

/** The keys of each form; those that offer "none"; the words of each choice. */
const forms = [
  [
    'todo-doc-generator',
    ['path', 'dependencies', 'priority', 'phases', 'complexity'],
    ['dependencies'],
    { complexity: ['low', 'medium', 'high'], priority: ['1', '2', '3', '4', '5'] },
  ],
  [
    'tdd-task-executor',
    [
      'phase',
      'phase_complete',
      'files_changed',
      'files_created',
      'tests_added',
      'tests_passing',
      'test_failures',
      'blockers',
      'next_action',
    ],
    ['files_created', 'test_failures', 'blockers'],
    { phase_complete: ['true', 'false'], tests_passing: ['true', 'false'] },
  ],
  [
    'code-reviewer',
    ['approved', 'issues_total', 'critical', 'major', 'minor', 'security', 'test_coverage', 'recommendation'],
    ['critical', 'major', 'minor', 'security'],
    { test_coverage: ['adequate', 'needs-improvement', 'insufficient'], recommendation: ['revise', 'block'] },
  ],
  [
    'code-simplifier',
    ['simplified', 'files_modified', 'lines_removed', 'complexity_reduction', 'changes_summary'],
    [],
    { complexity_reduction: ['none', 'low', 'medium', 'high'] },
  ],
  [
    'silent-failure-hunter',
    ['silent_failures_found', 'locations', 'severity', 'recommendations'],
    [],
    { severity: ['low', 'medium', 'high', 'critical'] },
  ],
  [
    'review-pr',
    [
      'ready_to_merge',
      'blocking_issues',
      'warnings',
      'test_status',
      'files_reviewed',
      'approval_confidence',
      'final_recommendation',
    ],
    ['blocking_issues', 'warnings'],
    { approval_confidence: ['low', 'medium', 'high'], test_status: ['all-pass', 'not-run'] },
  ],
  [
    'type-design-analyzer',
    ['types_analyzed', 'quality_score', 'issues', 'recommendations'],
    ['issues', 'recommendations'],
    { quality_score: ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'] },
  ],
] as const satisfies readonly (readonly [
  string,
  readonly string[],
  readonly string[],
  Record<string, readonly string[]>,
])[];

describe('Contract Format', () => {
  it.each(forms)('%s asks for its block at the end of the answer, with these keys', (name, keys) => {
    const prompt = promptSuffix(contractNamed(name));
    expect(prompt).toContain('End your answer with one block between the lines ---OUTPUT--- and ---END---');
    expect([...prompt.matchAll(/^- (\w+): /gm)].map(([, key]) => key)).toEqual(keys);
  });

  it.each(forms)('discards everything before the block of %s', (name) => {
    const prose = 'I looked at approved: true and path: x.\n\n---\n\n';
    expect(resultOf(read(contractNamed(name), prose + outputOf(name)))).toEqual(resultOf(readAs(name)));
  });

  it.each(forms)('requires every key of %s', (name, keys) => {
    for (const key of keys) expect(faults(readAs(name, { [key]: '' }))).toEqual([`missing ${key}`]);
  });

  it.each(forms)('offers none in %s', (name, _, orNone) => {
    for (const key of orNone) {
      expect(faults(readAs(name, { [key]: 'none' }))).toEqual([]);
      expect(faults(readAs(name, { [key]: '"none"' }))).toEqual([]);
    }
  });

  it.each(forms)('takes each word of the choices of %s, and no other', (name, _, __, choices) => {
    for (const [key, words] of Object.entries<readonly string[]>(choices)) {
      for (const word of words) {
        const reading = readAs(name, { [key]: word });
        expect(reading.ok || faults(reading).every((fault) => fault.startsWith('rule-broken'))).toBe(true);
      }
      expect(faults(readAs(name, { [key]: 'perhaps' })).some((fault) => fault.endsWith(` ${key}`))).toBe(true);
    }
  });
});

describe('Why Contracts Matter', () => {
  it('takes about 200 tokens, and records a longer block', () => {
    expect(limits.block).toBe(800);
    const long = readAs('code-simplifier', { changes_summary: 'x'.repeat(800) });
    expect(resultOf(long).deviations.map(({ code }) => code)).toEqual(['block-long']);
    expect(resultOf(long).summary.length).toBeLessThanOrEqual(limits.summaryGood);
  });
});

describe('todo-doc-generator Contract', () => {
  it.each(['0', '6', '1.5'])('refuses priority %s', (priority) => {
    expect(faults(readAs('todo-doc-generator', { priority }))).toEqual(['out-of-range priority']);
  });

  it('reads the features it depends on', () => {
    const { fields } = resultOf(readAs('todo-doc-generator', { dependencies: '[feature1, feature2]' }));
    expect(fields['dependencies']).toEqual(['feature1', 'feature2']);
  });

  it('is recorded', () => {
    expect(actionOf('todo-doc-generator')).toBe('record');
  });
});

describe('tdd-task-executor Contract', () => {
  it.each([
    ['review', {}],
    ['halt', { blockers: 'the schema is not decided' }],
    ['continue', { phase_complete: 'false' }],
    ['continue', { tests_passing: 'false', test_failures: '[login fails]' }],
  ])('leads to %s with %j', (action, changes) => {
    expect(actionOf('tdd-task-executor', changes)).toBe(action);
  });

  it.each([
    ['2/3', { current: 2, total: 3 }],
    ['Phase 2 of 3', { current: 2, total: 3 }],
  ])('reads the phase %s', (phase, expected) => {
    expect(resultOf(readAs('tdd-task-executor', { phase })).fields['phase']).toEqual(expected);
  });

  it('refuses phase 4/3', () => {
    expect(faults(readAs('tdd-task-executor', { phase: '4/3' }))).toEqual(['out-of-range phase']);
  });
});

describe('code-reviewer (pr-review-toolkit:code-reviewer) Contract', () => {
  it('is found under the name of the toolkit', () => {
    expect(contractNamed('pr-review-toolkit:code-reviewer')).toBe(contractNamed('code-reviewer'));
  });

  it.each([
    ['fix', {}],
    ['proceed', { approved: 'true', major: 'none', recommendation: 'approve' }],
  ])('leads to %s with %j', (action, changes) => {
    expect(actionOf('code-reviewer', changes)).toBe(action);
  });

  it('is repeated at most 3 times', () => {
    expect(mostRounds).toBe(3);
  });

  it('contradicts itself neither way', () => {
    const approved = readAs('code-reviewer', { approved: 'true', recommendation: 'approve', critical: '[a leak]' });
    expect(faults(approved)).toEqual(['rule-broken critical']);
    expect(faults(readAs('code-reviewer', { recommendation: 'approve' }))).toEqual(['rule-broken recommendation']);
  });
});

describe('pr-review-toolkit:review-pr Contract', () => {
  it.each([
    ['commit', {}],
    ['fix', { ready_to_merge: 'false', blocking_issues: '[no tests]', final_recommendation: 'revise' }],
    ['fix', { ready_to_merge: 'false', blocking_issues: '[no tests]', final_recommendation: 'reject' }],
  ])('leads to %s with %j', (action, changes) => {
    expect(actionOf('review-pr', changes)).toBe(action);
  });
});

describe('type-design-analyzer Contract', () => {
  it.each(['0', '11'])('refuses a score of %s', (quality_score) => {
    expect(faults(readAs('type-design-analyzer', { quality_score }))).toEqual(['out-of-range quality_score']);
  });
});

describe('Parsing Contracts in Orchestrator', () => {
  const own = readOwnContract(
    `name: parsing
purpose: show how values are read
format: block
fields:
  list: { type: list, of: text, about: a list, required: or-none }
  flag: { type: flag, about: a flag, required: or-none }
  count: { type: number, about: a number, required: or-none }
  text: { type: text, about: a text, required: or-none }
status: []
example: { list: [a], flag: true, count: 1, text: b }
`,
    'parsing.yaml',
  );
  const parsed = (key: string, value: string): unknown => {
    const lines = { list: 'none', flag: 'none', count: 'none', text: 'none', [key]: value };
    const block = Object.entries(lines).map(([name, one]) => `${name}: ${one}`);
    return resultOf(read(own, ['---OUTPUT---', ...block, '---END---'].join('\n'))).fields[key];
  };

  it.each<[string, string, unknown]>([
    ['list', '[list, items]', ['list', 'items']],
    ['list', '[]', []],
    ['list', 'none', []],
    ['flag', 'true', true],
    ['flag', 'True', true],
    ['flag', 'false', false],
    ['flag', 'None', null],
    ['count', '42', 42],
    ['text', 'a value: with a colon', 'a value: with a colon'],
    // The pseudocode types a value by its look; the field decides here, so a text stays the text it was.
    ['text', '42', '42'],
    ['text', 'true', 'true'],
    // It splits at every comma; commas inside brackets and quotes belong to their item here.
    ['list', '[f(a, b), "c, d"]', ['f(a, b)', 'c, d']],
  ])('reads %s: %s', (key, value, expected) => {
    expect(parsed(key, value)).toEqual(expected);
  });

  it.each([
    ['no block', 'All done, everything passes.', 'no-return '],
    ['no end', '---OUTPUT---\nlist: none\nflag: none\ncount: none\ntext: none\n', 'block-unterminated '],
  ])('finds %s', (_, text, fault) => {
    expect(faults(read(own, text))).toEqual([fault]);
  });
});

describe('Contract Violations', () => {
  const contract = contractNamed('code-reviewer');
  const text = 'I reviewed it.\n\napproved: false\nissues_total: 3\nmajor: [No rate limiting on login endpoint]\n';
  const reading = read(contract, text);

  it('keeps what can be read without a block', () => {
    expect(reading).toMatchObject({
      ok: false,
      violations: [{ code: 'no-return' }],
      salvaged: {
        result: { fields: { approved: false, issues_total: 3, major: ['No rate limiting on login endpoint'] } },
      },
    });
  });

  // The document runs the agent again; the same agent is asked for its return only, and its work is kept.
  it('asks again with a reminder of the contract, at most 2 times', () => {
    const message = reading.ok ? '' : repairMessage(contract, reading.violations);
    expect(message).toContain('---OUTPUT---');
    expect(message).toContain('If your work is done, do not repeat it');
    expect(mostRepairs).toBe(2);
  });
});

describe('Adding New Contracts', () => {
  it('takes fields, an example and actions from a file', () => {
    const contract = readOwnContract(ownContract(), 'migration-writer.yaml');
    expect(promptSuffix(contract)).toContain('- reversible: whether it can be undone');
    const block = '---OUTPUT---\npath: db/5.sql\nreversible: false\ntables: [orders]\nrisk: high\n---END---\n';
    expect(actionFor(contract, resultOf(read(contract, block)))).toBe('halt');
  });
});
