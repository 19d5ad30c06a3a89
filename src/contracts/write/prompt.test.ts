import { describe, expect, it } from 'vitest';
import { ownContract } from '../../../tests/support/own-contract.ts';
import { sampleId } from '../../../tests/support/samples.ts';
import { contractNamed } from '../../../tests/support/wire-returns.ts';
import type { Contract } from '../contract.ts';
import type { Fields } from '../field.ts';
import { violationCodes } from '../finding.ts';
import { readOwnContract } from '../own/own-contract.ts';
import { printValues } from './print.ts';
import { promptSuffix, repairMessage } from './prompt.ts';
import { read } from '../read/read.ts';
import { builtInContracts } from '../registry.ts';
import { asJson } from '../return-way.ts';

const contracts: readonly Contract[] = [...builtInContracts, readOwnContract(ownContract(), 'own.yaml')];

/** Every field and every field of a record, with its depth. */
function allFields(fields: Fields, indent = ''): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const inner = field.type === 'list' ? field.of : field;
    return [`${indent}- ${name}`, ...(inner.type === 'record' ? allFields(inner.fields, `${indent}  `) : [])];
  });
}

const forms = {
  block: '---OUTPUT--- and ---END---',
  json: 'one JSON object: no text around it, no code fence',
  line: 'one line of less than 100 characters, its path aside: ',
  report: 'YAML frontmatter between --- lines',
};

describe.each(contracts)('the prompt of $name', (contract) => {
  const suffix = promptSuffix(contract);

  it('names every field, what it is about and whether it may be missing', () => {
    for (const start of allFields(contract.fields)) {
      expect(suffix.split('\n').some((line) => line.startsWith(`${start}:`) || line.startsWith(`${start} (`))).toBe(
        true,
      );
    }
    for (const [name, { about, presence }] of Object.entries(contract.fields)) {
      const line =
        suffix.split('\n').find((one) => one.startsWith(`- ${name}:`) || one.startsWith(`- ${name} (`)) ?? '';
      expect(line).toContain(about);
      expect(line.includes('may be left out')).toBe(presence === 'optional');
      expect(line.includes(', or none') || line.includes('or the word none')).toBe(presence === 'or-none');
    }
  });

  it('says what it is for, the form, and every rule', () => {
    expect(suffix).toContain(contract.purpose);
    expect(suffix).toContain(forms[contract.wireFormat]);
    for (const { because } of contract.rules) expect(suffix).toContain(`- ${because}`);
  });

  it('ends with an example that the contract accepts', () => {
    const printed = printValues(contract, contract.example).trimEnd();
    expect(suffix.endsWith(`\n\n${printed}\n`)).toBe(true);
    expect(read(contract, printed)).toMatchObject({ ok: true, result: { deviations: [] } });
  });

  it('is the same every time', () => {
    expect(promptSuffix(contract)).toBe(suffix);
  });
});

describe.each(['tool', 'schema'] as const)('by %s', (by) => {
  it.each(contracts)('the prompt of $name asks for one JSON object of its fields', (contract) => {
    const suffix = promptSuffix(contract, { by, reportPath: 'out/1.md' });
    for (const start of allFields(contract.fields)) {
      expect(suffix.split('\n').some((line) => line.startsWith(`${start}: `))).toBe(true);
    }
    expect(suffix).toContain('one JSON object of the');
    expect(suffix.includes('calling the tool submit_result of the server divisi once')).toBe(by === 'tool');
    for (const other of ['---OUTPUT---', 'YAML', 'section "', 'one line of less', 'Task <status>', 'the word none']) {
      expect(suffix).not.toContain(other);
    }
    const printed = suffix.slice(suffix.indexOf('\n\n{') + 2);
    expect(read(asJson(contract), printed)).toMatchObject({ ok: true, result: { deviations: [] } });
  });

  it.each(contracts)('the repair message of $name asks for the same', (contract) => {
    const message = repairMessage(contract, [], { by });
    expect(message).toContain('one JSON object of the');
    expect(message.includes('submit_result')).toBe(by === 'tool');
    expect(
      message.endsWith(`\n\n${JSON.stringify(JSON.parse(message.slice(message.indexOf('\n{'))), null, 2)}\n`),
    ).toBe(true);
  });

  it('asks for no report file where the fields are the report, and for the one a line points at', () => {
    const options = { by, reportPath: 'out/1.md' };
    expect(promptSuffix(contractNamed('worker-report'), options)).not.toContain('out/1.md');
    expect(promptSuffix(contractNamed('worker-report'), options)).toContain('Write no report file');
    expect(promptSuffix(contractNamed('wave-review'), options)).toContain('Write the full text to out/1.md first.');
    expect(promptSuffix(contractNamed('architect'), options)).toContain('Write it to out/1.md first.');
  });

  it('says null for what is none', () => {
    expect(promptSuffix(contractNamed('architect'), { by })).toContain('the project root, or null\n');
    expect(promptSuffix(contractNamed('code-reviewer'), { by })).toContain('a list of texts, or an empty one\n');
  });
});

describe('the prompt', () => {
  it('lists the words of a choice', () => {
    expect(promptSuffix(contractNamed('code-reviewer'))).toContain('one of adequate, needs-improvement, insufficient');
  });

  it.each([
    ['worker-report', 'done (everything'],
    ['structured-return', 'completed (everything'],
    ['architect', 'success (everything'],
  ])('of %s uses the status words of its format', (name, words) => {
    expect(promptSuffix(contractNamed(name))).toContain(words);
  });

  it.each([
    ['architect', 'plan|<status>|<path>'],
    ['wave-review', '<priority>|<action>|<path>'],
  ])('of %s shows the parts of the line', (name, form) => {
    expect(promptSuffix(contractNamed(name))).toContain(form);
  });

  it('says where the report goes and how to answer then', () => {
    const suffix = promptSuffix(contractNamed('worker-report'), { reportPath: 'out/1.md', delegationId: sampleId });
    expect(suffix).toContain('to out/1.md');
    expect(suffix).toContain('Task <status>. Report: out/1.md');
    expect(suffix).toContain(`Your delegation id is ${sampleId}.`);
  });

  it('says where the sections are', () => {
    expect(promptSuffix(contractNamed('worker-report'))).toContain('- summary (section "## Summary")');
  });
});

describe.each(contracts)('the repair message of $name', (contract) => {
  // What is wrong with a plan is said by its lines, and asks for more than a return.
  const codes = violationCodes.filter((code) => code !== 'plan-fault');
  const violations = codes.map((code, at) => ({
    code,
    path: `field_${at}`,
    expected: `wanted ${at}`,
    got: `came ${at}`,
  }));
  const message = repairMessage(contract, violations);

  it('names each violation with what was expected and what came', () => {
    const lines = message.split('\n');
    for (const { code, path, expected, got } of violations) {
      const line = lines.find((one) => one.startsWith(`- ${path} [${code}]: `)) ?? '';
      expect(line).toContain(expected);
      expect(line).toContain(got);
    }
  });

  it('shows the form, and an example that the contract accepts', () => {
    expect(message).toContain(forms[contract.wireFormat]);
    const printed = printValues(contract, contract.example).trimEnd();
    expect(message.endsWith(`\n\n${printed}\n`)).toBe(true);
  });

  it('does not take the work as done where there is no return', () => {
    const none = { code: 'no-return', path: '', expected: 'a return', got: '' } as const;
    expect(repairMessage(contract, [none])).toMatch(
      /^Your answer contains no return\..* if it is not, finish it first/,
    );
  });

  it('asks for the return and not for the work', () => {
    expect(message).toContain('Your work is kept');
    expect(message).toContain('Do not repeat or change the work');
    expect(message).toContain('Return again');
    expect(message).not.toMatch(/\b(?:redo|start over|try the task again|do the work again)\b/i);
  });
});

describe('the repair message', () => {
  it('of a plan asks for its file, fault by fault', () => {
    const faults = ['1.1 has no scope', '1.2 is ticked'].map((expected, at) => {
      return { code: 'plan-fault', path: `line ${at + 7}`, expected, got: '' } as const;
    });
    const message = repairMessage(contractNamed('architect'), faults);
    expect(message).toContain('Fix it in place');
    expect(message).toContain('\n- line 7: 1.1 has no scope\n- line 8: 1.2 is ticked\n');
    expect(message).not.toContain('Do not repeat or change the work');
  });

  it('speaks of the return where there is no field to speak of', () => {
    const reading = read(contractNamed('code-reviewer'), '---OUTPUT---\napproved: maybe');
    const message = reading.ok ? '' : repairMessage(contractNamed('code-reviewer'), reading.violations);
    expect(message).toContain('- the return [block-unterminated]: expected ---END---; got the end of the text\n');
    expect(message).toContain('- approved [wrong-type]: expected true or false; got maybe\n');
    expect(message).toContain('- issues_total [missing]: expected a whole number, at least 0; got nothing\n');
  });

  it('quotes what came on one line and without secrets', () => {
    const secret = `sk-ant-api03-${'aB3dE5gH7j'.repeat(6)}`;
    const reading = read(
      contractNamed('todo-doc-generator'),
      JSON.stringify({ path: `/a\n\n# New orders\n${secret}` }),
    );
    const message = reading.ok ? '' : repairMessage(contractNamed('todo-doc-generator'), reading.violations);
    expect(message).toContain('- path [path-outside]: ');
    expect(message).not.toContain('\n# New orders');
    expect(message).not.toContain(secret.slice(12, 24));
  });

  it('tells again where the report goes', () => {
    expect(repairMessage(contractNamed('worker-report'), [], { reportPath: 'out/1.md' })).toContain('Report: out/1.md');
  });
});
