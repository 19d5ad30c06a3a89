/** The permission mode of the client is about tools: in auto mode, too, a checkpoint of the plan waits for a person. */
import { afterEach, expect, it } from 'vitest';
import { ledgerOf, startsOf } from '../../support/project.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';
import { call, say } from '../conversation/actors.ts';
import { toolOf, withDivisi } from '../conversation/divisi-here.ts';
import { openStage, type Stage } from '../conversation/stage.ts';
import { ownAgentsProject } from './own-agents.ts';

const temporary = temporaryFolders();
let open: Stage | undefined;
afterEach(async () => open?.close());

it('in auto mode a checkpoint stays open', async () => {
  const more = '## Checkpoints\n\n- [ ] After wave 1: are the colours right?';
  const project = ownAgentsProject(temporary, { waves: [['1.1'], ['2.1']], more });
  const cast = { main: [call(toolOf('run'), { plan: 'plan.md', mode: 'auto' }), say('Done.')] };
  open = await openStage(cast, { ...withDivisi(temporary()), project, version: 'claude', mode: 'auto' });
  const { result } = await open.headless('Go.', '--allowedTools', toolOf('run')).ended;
  expect(result).toMatchObject({ result: 'Done.', permission_denials: [] });
  const { report, events } = ledgerOf(project);
  expect(report).toMatchObject({
    status: 'paused',
    checkpoints: [{ why: expect.stringContaining('are the colours right?') }],
  });
  expect(events.filter(({ kind }) => kind === 'checkpoint.answered')).toEqual([]);
  expect(startsOf(project)).toEqual(['1.1 1']);
});
