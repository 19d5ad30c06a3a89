/** The start of a run: which plans are found, what an input means, and what each mode does. */
import { describe, expect, it } from 'vitest';
import { planStates, planFileName } from '../../../src/plan/plan-name.ts';
import { modes } from '../../../src/plan/plan.ts';
import { similarPlans } from '../../../src/plan/similar-plans.ts';
import { listOpenWork, type OpenWork, waitingPlans } from '../../../src/project/open-work.ts';
import { readLedger } from '../../../src/project/project-ledger.ts';
import { runTarget } from '../../../src/project/run-target.ts';
import { startSettings } from '../../../src/cli/run/start-plan.ts';
import { planText } from '../../support/project.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';

const folder = temporaryFolders();

async function found(project: string, look: typeof waitingPlans | typeof listOpenWork): Promise<string[]> {
  const ledger = readLedger(project);
  try {
    return (await look(project, ledger)).map(({ planFile }) => planFile);
  } finally {
    ledger.close();
  }
}

describe('0. Plan Discovery (MANDATORY)', () => {
  const project = folder({
    '.swarm/header-fixes-inprogress.md': planText({ title: 'Header' }),
    '.swarm/payments-paused.md': planText({ title: 'Payments' }),
    '.swarm/totals-completed.md': planText({ title: 'Totals' }),
    '.swarm/fix-ts.md': planText({ title: 'Types' }),
    '.swarm/reports/header-fixes/wave-1/task-1.1.md': '# Report\n',
  });

  it('finds *-inprogress.md and *-paused.md', async () => {
    expect(await found(project, waitingPlans)).toEqual([
      '.swarm/header-fixes-inprogress.md',
      '.swarm/payments-paused.md',
    ]);
  });

  it('the list for a bare `divisi run` includes plans that were never begun, not finished ones', async () => {
    expect(await found(project, listOpenWork)).toEqual([
      '.swarm/fix-ts.md',
      '.swarm/header-fixes-inprogress.md',
      '.swarm/payments-paused.md',
    ]);
  });

  it('header-check is about the same work as header-fixes', async () => {
    const ledger = readLedger(project);
    const plans: OpenWork[] = await waitingPlans(project, ledger);
    ledger.close();
    const names = (description: string): string[] =>
      similarPlans({ description }, plans).map(({ planFile }) => planFile);
    expect(names('check the header')).toEqual(['.swarm/header-fixes-inprogress.md']);
    expect(names('translate all error messages')).toEqual([]);
  });
});

describe('1. Parse Input', () => {
  const target = (...words: string[]): string => runTarget(words, () => false).kind;

  it.each([
    [['fix the header'], 'description'],
    [['.swarm/fix-ts.md'], 'plan'],
    [['resume'], 'resume'],
    [['resume', 'from', 'wave', '3'], 'resume'],
    // A terminal offers the unfinished work; otherwise the command lists it.
    [[], 'nothing'],
  ])('%j: %s', (words, kind) => {
    expect(target(...words)).toBe(kind);
  });
});

describe('2. Mode Detection', () => {
  it('plan mode shows the plan and starts nothing', async () => {
    expect(await startSettings({ mode: 'plan' })).toEqual({ json: false, planOnly: true });
  });

  it('the document’s auto-edit is auto, its default is default', async () => {
    expect(modes).toEqual(['default', 'auto']);
    expect(await startSettings({ mode: 'auto' })).toEqual({ json: false, mode: 'auto' });
    await expect(startSettings({ mode: 'auto-edit' })).rejects.toMatchObject({ code: 'USAGE' });
  });
});

describe('3. Initialize or Resume', () => {
  const title = 'Replace the login form of the web client';
  const goal = 'People sign in with a passkey, and the old form is gone.';

  it('a new plan is named by ten to twenty words and its state', () => {
    const name = planFileName({ title, goal }, 'inprogress');
    expect(name).toBe(
      'replace-the-login-form-of-the-web-client-people-sign-in-with-a-passkey-and-the-old-form-is-gone-inprogress.md',
    );
    const words = name.replace('-inprogress.md', '').split('-').length;
    expect([words >= 10, words <= 20]).toEqual([true, true]);
  });

  it('a name has one of five states', () => {
    expect(planStates).toEqual(['inprogress', 'paused', 'completed', 'failed', 'cancelled']);
  });
});
