/** Commands about backlog tasks in the real client: what the person types, what enters the conversation, what is done. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { commandProject, statusIn, uncommitted } from '../../support/command-project.ts';
import { ledgerOf } from '../../support/project.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';
import { call, type Cast, say } from './actors.ts';
import { exchangesIn } from './captured.ts';
import { openStage, type Stage, versions } from './stage.ts';
import { textOf, toolOf, withDivisi } from './divisi-here.ts';

const temporary = temporaryFolders();
const give = (command: string) => call(toolOf('run'), { command });

describe.each(versions)('%s', (version) => {
  let stage: Stage | undefined;
  afterEach(async () => {
    await stage?.close();
    stage = undefined;
  });

  async function open(cast: Cast): Promise<Stage> {
    stage = await openStage(cast, { ...withDivisi(temporary()), project: commandProject(temporary()), version });
    return stage;
  }

  it('/divisi:research 12, from end to end, in a few hundred characters', async () => {
    const { headless, mainRequests, place, charactersAdded } = await open({
      main: [give('research 12 the lexer'), say('Done.')],
    });
    const { result } = await headless('/divisi:research 12 the lexer').ended;
    expect(result).toMatchObject({ result: 'Done.', permission_denials: [] });
    const [first, second, ...others] = mainRequests();
    expect(others).toEqual([]);
    expect(textOf(first)).toContain('with `command: "research 12 the lexer"`, verbatim');
    const { run } = ledgerOf(place.project).report;
    expect(second && exchangesIn(second)).toMatchObject([
      { result: expect.stringContaining(`id="${run}" status="completed" command="research 12" task="researched"`) },
    ]);
    const added = first && second ? charactersAdded(first, second, { frames: true }) : 0;
    expect(added).toBeGreaterThan(100);
    expect(added).toBeLessThanOrEqual(800);
    const report = '.divisi/specs/12_add_a_login/reports/research-001.md';
    expect(readFileSync(join(place.project, report), 'utf8')).toBe('# Report on 12\n');
    expect(statusIn(place.project)).toBe('RESEARCHED');
    expect(uncommitted(place.project)).toEqual([]);
  });

  it('/divisi:task and /divisi:todo ask for no leave, and need no shell', async () => {
    const { headless, mainRequests } = await open({
      main: [give('task add Write the docs'), say('Added.'), give('todo'), say('Nothing.')],
    });
    const added = await headless('/divisi:task add Write the docs').ended;
    expect(added.result).toMatchObject({ result: 'Added.', permission_denials: [] });
    const todo = await headless('/divisi:todo').ended;
    expect(todo.result).toMatchObject({ result: 'Nothing.', permission_denials: [] });
    const answers = mainRequests().flatMap((request) => exchangesIn(request).map(({ result }) => result));
    expect(answers).toEqual([
      expect.stringContaining('<task number="14" status="not started" language="general">Write the docs</task>'),
      expect.stringContaining('no task to archive'),
    ]);
  });
});
