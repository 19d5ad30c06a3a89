/** `divisi contract check NAME [FILE|-]` */
import { describe, expect, it } from 'vitest';
import * as answers from '../support/answers.ts';
import { deviatingReview, exampleReturn, unterminatedReview, verdict } from '../support/returns.ts';
import { sampleId } from '../support/samples.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { divisi } from '../support/divisi.ts';
import { parseXml } from '../support/xml.ts';

const folder = temporaryFolders();
/** Side by side, each takes longer. */
const patient = { timeout: 120_000 };
const check = ['contract', 'check'];

describe.concurrent('a valid return: exit 0', patient, () => {
  it.each([
    ['worker-report', 'report'],
    ['architect', 'line'],
  ])('the example of %s', async (name, wireFormat) => {
    const cwd = folder({ 'return.txt': exampleReturn(name) });
    const { code, stdout, stderr } = await divisi([...check, name, 'return.txt', '--json'], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { contract, result, brief, sizes } = answers.checkValid.parse(JSON.parse(stdout));
    expect({ contract, wireFormat: result.wireFormat, deviations: result.deviations }).toEqual({
      contract: name,
      wireFormat,
      deviations: [],
    });
    expect(parseXml(brief).attributes[0]).toEqual(['status', result.status]);
    expect([sizes.return.characters, sizes.brief.characters]).toEqual([exampleReturn(name).length, brief.length]);
    expect(Math.min(sizes.return.tokens, sizes.brief.tokens)).toBeGreaterThan(0);
  });

  it.each([
    ['standard input', ['-']],
    ['standard input where nothing is named', []],
  ])('from %s', async (_what, file) => {
    const { code, stdout, stderr } = await divisi([...check, 'task-review', ...file], {
      cwd: folder(),
      input: verdict,
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^valid: task-review → completed, next: proceed\n {2}LOW: rename-helper\n/);
    expect(stdout).toMatch(/\n {2}return 32 characters \(about \d+ tokens\) → brief \d+ \(about \d+\)\n/);
    expect(parseXml(stdout.trimEnd().split('\n').at(-1) ?? '').name).toBe('subagent-result');
  });

  it('with deviations, which are named', async () => {
    const [text, json] = await Promise.all([
      divisi([...check, 'some-toolkit:code-reviewer'], { cwd: folder(), input: deviatingReview }),
      divisi([...check, 'some-toolkit:code-reviewer', '--json'], { cwd: folder(), input: deviatingReview }),
    ]);
    expect([text.code, json.code]).toEqual([0, 0]);
    const { contract, action, result } = answers.checkValid.parse(JSON.parse(json.stdout));
    expect({ contract, action, status: result.status }).toEqual({
      contract: 'code-reviewer',
      action: 'fix',
      status: 'completed',
    });
    expect(result.deviations.length).toBeGreaterThan(0);
    for (const { code } of result.deviations) expect(text.stdout).toContain(`  deviation ${code}`);
  });

  it('in another wire format than the contract asks for', async () => {
    const { code, stdout } = await divisi([...check, 'task-review', '--json'], {
      cwd: folder(),
      input: '{"priority": "LOW", "action": "rename-helper", "path": "reviews/2.3.md"}',
    });
    expect(code).toBe(0);
    const { result } = answers.checkValid.parse(JSON.parse(stdout));
    expect(result).toMatchObject({ wireFormat: 'json', deviations: [{ code: 'wire-format' }] });
  });

  it('with a secret in it, which goes no further', async () => {
    const secret = `ghp_${'aB3dE5gH7jK9mN'.repeat(3).slice(0, 36)}`;
    const input = deviatingReview.replace('security: none', `security: the token ${secret} is in the log`);
    const { stdout } = await divisi([...check, 'code-reviewer'], { cwd: folder(), input });
    expect(stdout).toContain('degraded: secret-redacted');
    expect(stdout).toContain('<degraded>secret-redacted</degraded>');
    expect(stdout).not.toContain(secret.slice(4, 20));
  });
});

describe.concurrent('violations: exit 1', patient, () => {
  const cases: readonly [what: string, contract: string, input: string, codes: readonly string[]][] = [
    ['prose', 'code-reviewer', 'It looks good to me.', ['no-return']],
    ['nothing', 'task-review', '', ['no-return']],
    [
      'a rule that is broken',
      'code-reviewer',
      deviatingReview.replace('approved: no', 'approved: yes'),
      ['rule-broken', 'rule-broken'],
    ],
    [
      'a pointer to a report that nobody followed',
      'worker-report',
      'Task done. Report: reports/1.md',
      ['report-not-read'],
    ],
  ];

  it.each(cases)('%s', async (_what, name, input, codes) => {
    const { code: exit, stdout, stderr } = await divisi([...check, name], { cwd: folder(), input });
    expect({ exit, stderr }).toEqual({ exit: 1, stderr: '' });
    const [first, ...lines] = stdout.split('\n');
    expect(first).toBe(`not valid: ${codes.length} ${codes.length === 1 ? 'violation' : 'violations'} of ${name}`);
    expect(lines.slice(0, codes.length).map((line) => /^ {2}.* \[([a-z-]+)\]: ./.exec(line)?.[1])).toEqual(codes);
    expect(stdout).toContain(`\`divisi contract repair ${name}\``);
  });

  it('what could be read is said anyway', async () => {
    const [text, json] = await Promise.all([
      divisi([...check, 'code-reviewer'], { cwd: folder(), input: unterminatedReview }),
      divisi([...check, 'code-reviewer', '--json'], { cwd: folder(), input: unterminatedReview }),
    ]);
    expect([text.code, json.code]).toEqual([1, 1]);
    expect(text.stdout).toContain('still readable: status completed\n');
    expect(text.stdout).toContain('still readable: approved, issues_total, critical');
    const { violations, salvaged } = answers.checkInvalid.parse(JSON.parse(json.stdout));
    expect(violations.map(({ code }) => code)).toEqual(['block-unterminated']);
    expect(salvaged).toMatchObject({
      result: { status: 'completed', fields: { approved: false } },
      head: unterminatedReview,
      tail: '',
    });
  });
});

describe.concurrent('--session', patient, () => {
  it.each([
    ['the same', sampleId, 0, []],
    ['another', 'sess_1767225600_000000', 1, ['delegation-mismatch']],
  ])('%s', async (_what, session, expected, codes) => {
    const { code, stdout } = await divisi([...check, 'structured-return', '--json', '--session', session], {
      cwd: folder(),
      input: exampleReturn('structured-return'),
    });
    expect(code).toBe(expected);
    const answer: unknown = JSON.parse(stdout);
    const violations = expected === 0 ? [] : answers.checkInvalid.parse(answer).violations;
    expect(violations.map((violation) => violation.code)).toEqual(codes);
  });
});
