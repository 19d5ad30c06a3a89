/** `divisi contract list | show | prompt | repair` */
import { describe, expect, it } from 'vitest';
import { builtInContracts } from '../../src/contracts/registry.ts';
import * as answers from '../support/answers.ts';
import { repositoryFile } from '../support/repository.ts';
import { deviatingReview, exampleReturn, unterminatedReview } from '../support/returns.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { divisi } from '../support/divisi.ts';

const folder = temporaryFolders();

describe('contract list', () => {
  it('names every contract and its wire format', async () => {
    const { code, stdout, stderr } = await divisi(['contract', 'list'], { cwd: folder() });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/));
    expect(rows).toEqual(builtInContracts.map(({ name, wireFormat, purpose }) => [name, wireFormat, purpose]));
  });

  it('--json', async () => {
    const { code, stdout } = await divisi(['contract', 'list', '--json'], { cwd: folder() });
    expect(code).toBe(0);
    const rows = answers.contractList.parse(JSON.parse(stdout));
    expect(rows.map(({ name }) => name)).toEqual(builtInContracts.map(({ name }) => name));
  });
});

describe('contract show', () => {
  it.each(['architect', 'some-toolkit:code-reviewer'])('%s', async (name) => {
    const plain = name.replace(/^.*:/, '');
    const [text, json] = await Promise.all([
      divisi(['contract', 'show', name], { cwd: folder() }),
      divisi(['contract', 'show', name, '--json'], { cwd: folder() }),
    ]);
    const contract = answers.contractShow.parse(JSON.parse(json.stdout));
    expect(contract.name).toBe(plain);
    expect(text.code).toBe(0);
    for (const field of Object.keys(contract.fields)) expect(text.stdout).toContain(`- ${field}`);
    for (const { because } of contract.rules) expect(text.stdout).toContain(`- ${because}\n`);
    for (const { action } of contract.actions) expect(text.stdout).toContain(`- ${action} when `);
    expect(text.stdout.trimEnd().endsWith(exampleReturn(plain).trimEnd())).toBe(true);
  });

  it('--json-schema is the schema the package ships', async () => {
    const { code, stdout } = await divisi(['contract', 'show', 'code-reviewer', '--json-schema'], { cwd: folder() });
    expect(code).toBe(0);
    expect(stdout).toBe(repositoryFile('schemas/contract-code-reviewer.json'));
  });
});

describe('contract prompt', () => {
  it('says how to return', async () => {
    const [text, json] = await Promise.all([
      divisi(['contract', 'prompt', 'code-reviewer'], { cwd: folder() }),
      divisi(['contract', 'prompt', 'code-reviewer', '--json'], { cwd: folder() }),
    ]);
    expect({ code: text.code, stderr: text.stderr }).toEqual({ code: 0, stderr: '' });
    expect(answers.contractPrompt.parse(JSON.parse(json.stdout))).toEqual({
      contract: 'code-reviewer',
      prompt: text.stdout,
    });
    expect(text.stdout).toContain('---OUTPUT---');
    expect(text.stdout).not.toContain('delegation id');
  });

  it('names the report and the delegation it is given', async () => {
    const args = [
      'contract',
      'prompt',
      'worker-report',
      '--report-path',
      'out/1.1.md',
      '--session',
      'sess_1767225600_k3x9q1',
    ];
    const { stdout } = await divisi(args, { cwd: folder() });
    expect(stdout).toContain('Task <status>. Report: out/1.1.md\n');
    expect(stdout).toContain('Your delegation id is sess_1767225600_k3x9q1.\n');
  });

  it('asks for the given way to return', async () => {
    const args = ['contract', 'prompt', 'code-reviewer', '--by'];
    const [tool, schema, odd] = await Promise.all(
      ['tool', 'schema', 'post'].map((way) => divisi([...args, way], { cwd: folder() })),
    );
    expect(tool?.stdout).toContain('Return by calling the tool submit_result of the server divisi once');
    expect(schema?.stdout).toContain('Your whole answer is one JSON object of the fields below');
    expect(odd).toMatchObject({ code: 2, stdout: '' });
    expect(odd?.stderr).toContain('message, tool, schema');
  });

  it.each(['../out.md', '/etc/out.md', 'a/../../out.md'])(
    'refuses a report outside of the project: %s',
    async (path) => {
      const { code, stderr } = await divisi(['contract', 'prompt', 'worker-report', '--report-path', path], {
        cwd: folder(),
      });
      expect(code).toBe(2);
      expect(stderr).toContain(`--report-path ${path} is not inside the project [USAGE]`);
    },
  );
});

describe('contract repair', () => {
  it('of a valid return has nothing to ask', async () => {
    const [text, json] = await Promise.all([
      divisi(['contract', 'repair', 'code-reviewer'], { cwd: folder(), input: deviatingReview }),
      divisi(['contract', 'repair', 'code-reviewer', '--json'], { cwd: folder(), input: deviatingReview }),
    ]);
    expect(text).toEqual({ code: 0, stdout: 'valid: there is nothing to repair\n', stderr: '' });
    expect(answers.repairValid.parse(JSON.parse(json.stdout))).toEqual({ ok: true, contract: 'code-reviewer' });
    expect(json.code).toBe(0);
  });

  it('of another names each violation, shows the form and asks for nothing but the return', async () => {
    const cwd = folder({ 'return.txt': unterminatedReview.replace('recommendation: block\n', '') });
    const [text, json] = await Promise.all([
      divisi(['contract', 'repair', 'code-reviewer', 'return.txt'], { cwd }),
      divisi(['contract', 'repair', 'code-reviewer', 'return.txt', '--json'], { cwd }),
    ]);
    const { violations, message } = answers.repairInvalid.parse(JSON.parse(json.stdout));
    expect([text.code, json.code]).toEqual([1, 1]);
    expect(text.stdout).toBe(message);
    expect(violations.map(({ code }) => code)).toEqual(['block-unterminated', 'missing']);
    for (const { code } of violations) expect(message).toContain(`[${code}]: `);
    expect(message).toContain('Do not repeat or change the work');
    expect(message).toContain(exampleReturn('code-reviewer'));
  });
});
