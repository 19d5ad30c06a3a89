/** An agent in the background that never says the one line it is asked for: its words stay out of the conversation, which goes on. */
import { afterEach, describe, expect, it } from 'vitest';
import { ledgerOf } from '../../support/project.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';
import { hasTmux } from '../../support/terminal.ts';
import { type Part, say } from './actors.ts';
import type { ModelRequest, Step } from '../model-api/script.ts';
import { conductedProject, conductPlan, mainThat, reportOf, reviewer, withDivisi, writes } from './divisi-here.ts';
import { openStage, type Stage } from './stage.ts';

const temporary = temporaryFolders();
const words = 'Something that nobody but a reader of the report has to know.';

describe.runIf(hasTmux)('in a terminal', () => {
  let stage: Stage | undefined;
  afterEach(async () => {
    await stage?.close();
    stage = undefined;
  });

  it('is asked as often as the client allows; then one line wakes the conversation in its place', async () => {
    const root = temporary();
    const project = conductedProject(root, [['1.1']]);
    const said = (one: ModelRequest): Step => say(`${reportOf(one)}## Details\n${`${words}\n`.repeat(2000)}`);
    const deaf: Part = { told: /# Your task: \d/, lines: [writes(project), said] };
    const cast = { main: [mainThat({ 'you conduct the run': conductPlan })], subagents: [deaf, reviewer(project)] };
    stage = await openStage(cast, { ...withDivisi(root), project, version: 'claude', mode: 'acceptEdits' });
    const window = await stage.interactive();
    await window.tell('/divisi:run --here plan.md');
    await window.shows('All is done.');
    expect(stage.api.faults).toEqual([]);
    expect(ledgerOf(project).report.status).toBe('completed');
    // It writes its file, returns, and is asked eight times.
    expect(stage.subagentRequests('# Your task: 1.1')).toHaveLength(10);
    const [first, ...others] = stage.mainRequests();
    const heard = JSON.stringify(others.map(({ body }) => body['messages']));
    expect(heard).not.toContain(words);
    expect(heard).toContain('1.1 completed, verified: 1 file +1 −0');
    const last = others.at(-1);
    const added = first === undefined || last === undefined ? Infinity : stage.charactersAdded(first, last);
    expect(added).toBeLessThanOrEqual(6000);
  });
});
