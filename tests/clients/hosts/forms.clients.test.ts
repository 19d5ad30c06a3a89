/** Forms in the real client ask once: Accept or Decline is the decision. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { ledgerOf, startsOf } from '../../support/project.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';
import { hasTmux } from '../../support/terminal.ts';
import { call, say } from '../conversation/actors.ts';
import { toolOf, withDivisi } from '../conversation/divisi-here.ts';
import { openStage, type Interactive, type Stage, versions } from '../conversation/stage.ts';
import { openWindow } from '../../support/window.ts';
import { programPath } from '../programs.ts';
import { callOurs, openHost } from './host.ts';
import { ownAgentsProject } from './own-agents.ts';

const temporary = temporaryFolders();
let stage: Stage | undefined;
let open: (() => unknown)[] = [];
afterEach(async () => {
  await stage?.close();
  stage = undefined;
  for (const close of open) await close();
  open = [];
});

/** Each key leads to what is named. */
async function press(
  window: Pick<Interactive, 'press' | 'shows'>,
  keys: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [key, shown] of Object.entries(keys)) {
    // It is drawn a moment before it listens, and a decline at once would be the host's.
    await after(500);
    window.press(key);
    await window.shows(shown);
  }
}

describe.runIf(hasTmux).each(versions)('%s', (version) => {
  it('one Accept starts a plan with its commands, one Decline answers its checkpoint', async () => {
    const project = ownAgentsProject(temporary, {
      waves: [['1.1'], ['2.1']],
      more: '### 1.1\n- Accept: `node proof.cjs`\n\n## Checkpoints\n\n- [ ] After wave 1: are the colours right?',
      files: { 'proof.cjs': "require('node:fs').writeFileSync(process.env.HOME + '/proved.log', '')" },
    });
    const cast = { main: [call(toolOf('run'), { plan: 'plan.md' }), say('Done.')] };
    stage = await openStage(cast, { ...withDivisi(temporary()), project, version });
    const window = await stage.interactive();
    await window.tell('/divisi:run plan.md');
    await window.shows('node proof.cjs');
    await window.shows('✔ Commands of the plan: ▸ run them');
    await press(window, { Down: '❯ Accept', Enter: 'are the colours right?' });
    await press(window, { Down: '❯ Accept', Right: '❯ Decline', Enter: '● Done.' });
    expect(existsSync(join(stage.place.home, 'proved.log'))).toBe(true);
    const { events } = ledgerOf(project);
    expect(events.filter(({ kind }) => kind === 'plan.confirmed')).toHaveLength(1);
    expect(events.filter(({ kind }) => kind === 'checkpoint.answered')).toMatchObject([
      { approved: false, by: 'person' },
    ]);
    expect(startsOf(project)).toEqual(['1.1 1']);
  });
});

it.runIf(hasTmux)('Codex, whose forms are submitted or closed, has the no among the choices', async () => {
  const [root, project] = [
    temporary(),
    ownAgentsProject(temporary, {
      waves: [['1.1'], ['2.1']],
      more: '### 1.1\n- Accept: `node proof.cjs`\n\n## Checkpoints\n\n- [ ] After wave 1: are the colours right?',
      files: { 'proof.cjs': "require('node:fs').writeFileSync(process.env.HOME + '/proved.log', '')" },
    }),
  ];
  const host = await openHost({
    client: 'codex',
    root,
    project,
    entry: `\n[projects."${project}"]\ntrust_level = "trusted"\n`,
    script: (request) =>
      request.turn === 0 && request.tools.length > 0
        ? callOurs(request, 'run', { plan: 'plan.md' })
        : { does: 'say', text: 'All is said.' },
  });
  const command = `'${programPath('codex')}' --ask-for-approval on-request --sandbox workspace-write 'Go.'`;
  const window = openWindow({
    socket: join(root, 'tmux'),
    cwd: project,
    env: host.env,
    command,
    columns: 150,
    rows: 50,
  });
  open = [() => window.close(), host.close];
  await window.shows('› 1. Allow');
  await press(window, { Enter: '› 1. run them' });
  await press(window, { Enter: 'are the colours right?' });
  await window.shows('2. Decline');
  await press(window, { Down: '› 2. Decline', Enter: 'All is said.' });
  expect(existsSync(join(host.home, 'proved.log'))).toBe(true);
  const answers = ledgerOf(project).events.filter(({ kind }) => kind === 'checkpoint.answered');
  expect(answers).toMatchObject([{ approved: false, by: 'person' }]);
});
