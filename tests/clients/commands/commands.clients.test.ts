/** The task commands, the architect and features with a real agent program, from the words of the person to the commit. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { commandProject, statusIn, todoOf, uncommitted } from '../../support/command-project.ts';
import { gitIn } from '../../support/committed-project.ts';
import { ledgerOf } from '../../support/project.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';
import { type Run, divisi } from '../../support/divisi.ts';
import { type Ground, groundFor } from '../drive.ts';
import { type ClientFacts, oneShots } from '../facts.ts';
import { type ModelApi, startModelApi } from '../model-api/model-api.ts';
import { pointAt } from '../programs.ts';
import { willing } from './agents.ts';

const folder = temporaryFolders();
const ways = oneShots.filter(({ client }) => client === 'claude');

interface Scene {
  readonly cwd: string;
  readonly give: (...words: readonly string[]) => Promise<Run>;
}

describe.each(ways)('$client by $way', (facts: ClientFacts) => {
  let ground: Ground;
  let api: ModelApi;
  beforeAll(() => {
    ground = groundFor(facts);
  });
  afterAll(() => ground.clear());
  beforeEach(async () => {
    api = await startModelApi(willing);
  });
  afterEach(async () => api.close());

  function scene(): Scene {
    const config = `grace: 1\ndriver: mine\ndrivers:\n  mine:\n    kind: ${facts.way}\n    profile: ${facts.client}\n`;
    const cwd = commandProject(folder(), {
      files: { 'TODO.md': todoOf(), 'notes.md': 'Notes.\n', '.divisi/config.yaml': config },
    });
    const variables = { ...pointAt(api.url, facts.client, ground.home), PATH: `${ground.bin}:/usr/bin:/bin` };
    return { cwd, give: (...words) => divisi(words, { cwd, variables }) };
  }

  it('a backlog task: research, plan, revise, implement by phases, review', async () => {
    const { cwd, give } = scene();
    const ends: unknown[] = [];
    for (const words of [
      ['research', '12'],
      ['plan', '12'],
      ['revise', '12', 'less'],
      ['implement', '12'],
      ['review', '12'],
    ]) {
      const { code, stdout } = await give(...words, '--json');
      const { end, status, phases, undone } = JSON.parse(stdout) as Record<string, unknown>;
      ends.push({ words: words[0], code, end, status, phases, undone });
    }
    expect(api.faults).toEqual([]);
    expect(ends).toMatchObject([
      { words: 'research', code: 0, end: 'completed', status: 'researched', undone: [] },
      { words: 'plan', code: 0, end: 'completed', status: 'planned', undone: [] },
      { words: 'revise', code: 0, end: 'completed', status: 'revised', undone: [] },
      {
        words: 'implement',
        code: 0,
        end: 'completed',
        status: 'completed',
        phases: { done: ['12.1', '12.2'], open: [] },
      },
      { words: 'review', code: 0, end: 'completed', undone: [] },
    ]);
    const specs = '.divisi/specs/12_add_a_login';
    const files = [
      'reports/research-001.md',
      'plans/implementation-001.md',
      'plans/implementation-002.md',
      'summaries/implementation-summary-001.md',
      'summaries/implementation-summary-002.md',
      'reports/review-001.md',
    ];
    expect(files.filter((file) => !existsSync(join(cwd, specs, file)))).toEqual([]);
    expect(existsSync(join(cwd, 'work-12.2.txt'))).toBe(true);
    expect(statusIn(cwd)).toBe('COMPLETED');
    expect(uncommitted(cwd)).toEqual([]);
  });

  it('a goal becomes a plan', async () => {
    const { cwd, give } = scene();
    const { code, stdout } = await give('plan', 'the page can be dark');
    expect(code).toBe(0);
    expect(stdout).toContain('Name the colours');
    expect(ledgerOf(cwd).report.status).toBe('completed');
  });

  it('a feature is described, built, reviewed and let through', async () => {
    const { cwd, give } = scene();
    const { code } = await give('feature', 'auth');
    const { report } = ledgerOf(cwd);
    expect(report.tasks.map(({ task, status }) => `${task} ${status}`)).toEqual([
      'auth.doc completed',
      'auth.1.tdd completed',
      'auth.1.review completed',
      'auth.1.gate completed',
    ]);
    expect(code).toBe(0);
    expect(gitIn(cwd, 'show', `divisi/${report.run}:auth.txt`)).toBe('log in');
    expect(readFileSync(join(cwd, '.divisi/MASTER.md'), 'utf8')).toContain('auth');
  });
});
