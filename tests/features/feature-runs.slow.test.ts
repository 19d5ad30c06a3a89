/** `divisi feature` with real agents' programs and real git: what one types, what one sees, what is there at the end. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitIn } from '../support/committed-project.ts';
import { ledgerOf } from '../support/project.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { divisi } from '../support/divisi.ts';
import { begun, behave, branchOf, featureProject, isNotReady, master, saysNo, text } from './feature-project.ts';

const folder = temporaryFolders();
const patient = { timeout: 120_000 };

describe.concurrent('divisi feature', patient, () => {
  it('builds features in their order, shows them, and merges them', async () => {
    const acts = { 'auth.doc': { phases: 2 }, 'payments.doc': { fields: { dependencies: ['Auth'], priority: 1 } } };
    const cwd = featureProject(folder, acts);
    writeFileSync(join(cwd, 'wanted.md'), '1. Auth: log in by mail\n2. Payments\n');
    const { code, stdout } = await divisi(['feature', 'wanted.md', '--extras', 'silent-failure-hunter'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('Features: auth, payments');
    const auth = (phase: number): string[] =>
      ['tdd', 'review', 'silent-failure-hunter', 'gate'].map((part) => `auth.${phase}.${part} 1`);
    const order = begun(cwd);
    expect(order.filter((line) => line.startsWith('auth.'))).toEqual(['auth.doc 1', ...auth(1), ...auth(2)]);
    expect(order.indexOf('payments.1.tdd 1')).toBeGreaterThan(order.indexOf('auth.2.gate 1'));

    const shown = master(cwd);
    expect(shown).toMatch(/\| 1 \| \[auth\]\(features\/auth-TODO\.md\) Auth \| – \| 3 \| 2 of 2 \| completed \|/);
    expect(shown).toMatch(/\| 2 \| \[payments\]\(.*\) Payments \| auth \| 1 \| 1 of 1 \| completed \|/);
    expect(shown).toMatch(/- \[x\] Phase 2: Part 2 of auth \(commit [0-9a-f]{10}\)\n {2}- auth\.2\.tdd: completed\n/);
    expect(shown).toContain('## Deferred\n\n- auth.1.silent-failure-hunter: src/a.txt:1 - nobody hears of it\n');
    expect(text(cwd, '.divisi/features/auth-TODO.md')).toMatch(
      /^# auth\n\n## Phase 1: Part 1 of auth \[COMPLETED\]\n\n- \[x\] step 1\n\n## Phase 2: Part 2 of auth \[COMPLETED\]\n/,
    );
    const { commits, recorded } = branchOf(cwd);
    expect(commits).toEqual(recorded);
    expect(commits).toHaveLength(3);

    const looks = await Promise.all(
      [
        ['status'],
        ['show'],
        ['list'],
        ['report'],
        ['report', 'auth.doc'],
        ['logs', 'auth.1.tdd'],
        ['diff', '--stat'],
        ['verify'],
      ].map((words) => divisi(words, { cwd })),
    );
    expect(looks.map((look) => look.code)).toEqual(looks.map(() => 0));
    expect(looks.map((look) => look.stdout).join('\n')).not.toMatch(/^plan:?\s*$/m);
    expect((await divisi(['merge'], { cwd })).code).toBe(0);
    expect(existsSync(join(cwd, 'src/payments/payments.1.tdd.txt'))).toBe(true);
    expect(gitIn(cwd, 'status', '--short', '--', 'src')).toBe('');
  });

  it('asks after the third no, keeps what a person writes into a document, and continues by their word', async () => {
    const no = { 'auth.1.review': saysNo, 'auth.1.review-2': saysNo, 'auth.1.review-3': saysNo };
    const cwd = featureProject(folder, { ...no, 'mail.1.gate': isNotReady });
    const first = await divisi(['feature', 'auth, mail'], { cwd });
    expect(first.code).toBe(5);
    expect(first.stdout).toContain(
      'checkpoint-1 needs you: auth: code-reviewer still rejects it after 3 rounds: It is wrong',
    );
    expect(master(cwd)).toMatch(
      /## Needs you\n\n- auth: code-reviewer still rejects it .*`divisi approve run_\w+` \(accept as is and continue\)/,
    );
    expect(master(cwd)).toContain('  - auth.1.review-3: sent back: It is wrong\n');
    expect(begun(cwd).filter((line) => line.startsWith('mail.'))).toEqual(
      ['doc', '1.tdd', '1.review', '1.gate', '1.tdd-2', '1.review-2', '1.gate-2'].map((part) => `mail.${part} 1`),
    );
    const path = '.divisi/features/auth-TODO.md';
    expect(text(cwd, path)).toContain('## Phase 1: Part 1 of auth [IN PROGRESS]\n');
    writeFileSync(join(cwd, path), text(cwd, path).replace('- [ ] step 1', '- [ ] step 1, and what I think of it'));

    expect((await divisi(['approve', '--note', 'good enough'], { cwd })).code).toBe(0);
    expect((await divisi(['resume'], { cwd })).code).toBe(0);
    expect(begun(cwd).filter((line) => line.startsWith('auth.1.tdd'))).toHaveLength(3);
    expect(text(cwd, path)).toContain(
      '## Phase 1: Part 1 of auth [COMPLETED]\n\n- [x] step 1, and what I think of it\n',
    );
    expect(master(cwd)).toContain('auth.1.review-3: sent back: It is wrong, accepted by you\n');
  });

  it('halts a feature that is blocked, and those that need it; the others are built', async () => {
    const blocked = { fields: { phase_complete: false, blockers: 'Which bank?' } };
    const needs = { 'payments.doc': { fields: { dependencies: ['auth'] } } };
    const cwd = featureProject(folder, { ...needs, 'auth.1.tdd': blocked });
    expect((await divisi(['feature', 'auth, payments, mail'], { cwd })).code).toBe(5);
    expect((await divisi(['reject'], { cwd })).code).toBe(0);
    expect((await divisi(['resume'], { cwd })).code).toBe(1);
    expect(begun(cwd).filter((line) => !line.startsWith('mail.'))).toEqual(
      expect.arrayContaining(['auth.doc 1', 'payments.doc 1', 'auth.1.tdd 1']),
    );
    expect(begun(cwd)).not.toContain('payments.1.tdd 1');
    expect(master(cwd)).toMatch(
      /## Halted\n\n- auth: it did not complete: Which bank\?\. .*\n- payments: it needs auth, which is halted/,
    );
    expect(text(cwd, '.divisi/features/auth-TODO.md')).toContain('[PARTIAL]');
    behave(cwd, needs);
    expect((await divisi(['resume'], { cwd })).code).toBe(0);
    expect(ledgerOf(cwd).report.counts).toEqual({ completed: 12 });
  });

  it('asks again for a return without its block, for a document without its phases, and then a person', async () => {
    const plain = 'All done, trust me.';
    const cwd = featureProject(folder, {
      'auth.doc': { fields: { phases: 3 } },
      'mail.1.review': { says: plain, repaired: 2 },
      'mail.1.gate': { says: plain },
    });
    expect((await divisi(['feature', 'auth, mail'], { cwd })).code).toBe(5);
    const { report } = ledgerOf(cwd);
    expect(report.checkpoints.map(({ why }) => why)).toEqual([
      expect.stringMatching(
        /^auth\.doc: contract-violation: still not accepted after 2 repairs: phases \[rule-broken\]: .* got 3, and 1 in the document/,
      ),
      // The other one is built meanwhile, as far as it can be.
      expect.stringContaining('mail.1.gate: contract-violation: still not accepted after 2 repairs'),
    ]);
    expect(text(cwd, 'said.log').match(/^repair mail\.1\.review 1$/gm)).toHaveLength(2);
    const [ofDoc = '', ofGate = ''] = report.checkpoints.map(({ checkpoint }) => checkpoint);
    expect((await divisi(['reject', '--checkpoint', ofDoc], { cwd })).code).toBe(0);
    expect((await divisi(['approve', '--checkpoint', ofGate], { cwd })).code).toBe(0);
    expect((await divisi(['resume'], { cwd })).code).toBe(1);
    expect(master(cwd)).toMatch(/\| \[mail\].* \| completed \|\n/);
    expect(master(cwd)).toContain('- auth: it has no document');
  });

  it('shows features in a circle as a path, and lets a person open it', async () => {
    const needs = (name: string) => ({ fields: { dependencies: [name] } });
    const cwd = featureProject(folder, { 'auth.doc': needs('payments'), 'payments.doc': needs('auth') });
    const { code, stdout } = await divisi(['feature', '-'], { cwd, input: '- auth\n- payments\n' });
    expect(code).toBe(5);
    expect(stdout).toContain(
      'features depend on each other: auth → payments → auth; dropping “auth needs payments” puts auth first',
    );
    const other = await divisi(['feature', 'mail'], { cwd });
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('[RUN_UNFINISHED]')]);
    // One at a time, also of those that were given up before.
    const { run: first } = ledgerOf(cwd).report;
    expect((await divisi(['cancel', first], { cwd })).code).toBe(0);
    expect((await divisi(['feature', 'auth, payments'], { cwd })).code).toBe(5);
    const again = await divisi(['resume', first], { cwd });
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('[RUN_UNFINISHED]')]);
    expect((await divisi(['approve'], { cwd })).code).toBe(0);
    expect((await divisi(['resume'], { cwd })).code).toBe(0);
    expect(begun(cwd).indexOf('auth.1.gate 1')).toBeLessThan(begun(cwd).indexOf('payments.1.tdd 1'));
  });

  it('refuses what it cannot use', async () => {
    const cwd = featureProject(folder);
    const all = await Promise.all([
      divisi(['feature', ' '], { cwd }),
      divisi(['feature', 'auth', '--extras', 'nobody'], { cwd }),
      divisi(['feature', 'auth', '--mode', 'plan'], { cwd }),
      divisi(['feature'], { cwd }),
    ]);
    expect(all.map(({ code }) => code)).toEqual([2, 2, 2, 2]);
    expect(begun(cwd)).toEqual([]);
  });
});
