/** Hosts without a person that declare forms all the same: a plan with commands starts, and its commands stay unrun until a person allows them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { ledgerOf } from '../../support/project.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';
import { callOurs, type Host, openHost } from './host.ts';
import { ownAgentsProject } from './own-agents.ts';

const temporary = temporaryFolders();
let host: Host | undefined;
afterEach(async () => host?.close());

it.each(['codex', 'copilot', 'goose'] as const)('%s, headless', async (client) => {
  const project = ownAgentsProject(temporary, {
    more: '### 1.1\n- Accept: `node proof.cjs`',
    files: { 'proof.cjs': "require('node:fs').writeFileSync(process.env.HOME + '/proved.log', '')" },
  });
  const answers: string[] = [];
  host = await openHost({
    client,
    root: temporary(),
    project,
    script: (request) => {
      if (request.tools.length === 0) return { does: 'say', text: 'A title' };
      if (request.turn === 0) return callOurs(request, 'run', { plan: 'plan.md' });
      answers.push(...request.results);
      return { does: 'say', text: 'Done.' };
    },
  });
  const { code, output } = await host.tell('Go.');
  expect(host.api.faults).toEqual([]);
  expect([code, output]).toEqual([0, expect.stringContaining('Done.')]);
  const { run, status } = ledgerOf(project).report;
  expect(status).toBe('completed');
  expect(answers).toEqual([
    expect.stringMatching(new RegExp(`status="completed"[^]*\`divisi verify ${run}\` runs it`)),
  ]);
  // Work whose command was not run is not called verified.
  expect(answers[0]).toContain('verified="0/1"');
  expect(answers[0]).not.toMatch(/declined|said no/);
  expect(existsSync(join(host.home, 'proved.log'))).toBe(false);
});
