/** A call of `run` that its host cancels: a person's cancellation pauses the run, a time limit does not. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ledgerOf, startsOf } from '../../support/project.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';
import { hasTmux } from '../../support/terminal.ts';
import { until } from '../../support/until.ts';
import { call, say } from '../conversation/actors.ts';
import { toolOf, withDivisi } from '../conversation/divisi-here.ts';
import { openStage, versions } from '../conversation/stage.ts';
import { callOurs, type Host, openHost } from './host.ts';
import { ownAgentsProject } from './own-agents.ts';

const temporary = temporaryFolders();
let open: Pick<Host, 'close'>[] = [];
afterEach(async () => {
  await Promise.all(open.map(({ close }) => close()));
  open = [];
});

const pausesIn = (project: string): number =>
  ledgerOf(project).events.filter(({ kind }) => kind === 'run.paused').length;

it('Codex at its time limit leaves the run going, and the same call waits for it again', async () => {
  const project = ownAgentsProject(temporary, { waves: [['1.1'], ['2.1']], behave: { '1.1': 'hold' } });
  let seen = 0;
  const host = await openHost({
    client: 'codex',
    root: temporary(),
    project,
    entry: 'tool_timeout_sec = 1',
    script: (request) => {
      const [answer = ''] = request.results;
      if (answer.includes('status="completed"')) return { does: 'say', text: 'Done.' };
      // At least one whole call is cancelled while the task runs.
      if (startsOf(project).length > 0 && (seen += 1) === 2) writeFileSync(join(project, 'go-on'), '');
      return callOurs(request, 'run', { plan: 'plan.md' });
    },
  });
  open.push(host);
  expect(await host.tell('Go.')).toMatchObject({ code: 0 });
  expect(host.api.faults).toEqual([]);
  const cancelled = host.sent().filter(({ method }) => method === 'notifications/cancelled');
  expect(cancelled.length).toBeGreaterThanOrEqual(1);
  expect(cancelled[0]).toMatchObject({ params: { reason: 'MCP response future dropped' } });
  expect(ledgerOf(project).report.status).toBe('completed');
  expect(pausesIn(project)).toBe(0);
  expect(startsOf(project)).toEqual(['1.1 1', '2.1 1']);
});

describe.runIf(hasTmux).each(versions)('%s', (version) => {
  it('pauses the run when the person presses Esc', async () => {
    const project = ownAgentsProject(temporary, { behave: { '1.1': 'hold' } });
    const cast = { main: [call(toolOf('run'), { plan: 'plan.md' }), say('Done.')] };
    const stage = await openStage(cast, { ...withDivisi(temporary()), project, version });
    open.push(stage);
    const window = await stage.interactive();
    await window.tell('/divisi:run plan.md');
    await until(
      () => startsOf(project),
      (starts) => starts.length > 0,
    );
    await window.shows('esc to interrupt');
    window.press('Escape');
    await expect.poll(() => pausesIn(project), { timeout: 60_000 }).toBe(1);
  });
});
