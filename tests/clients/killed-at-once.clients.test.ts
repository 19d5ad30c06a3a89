/** The orchestrator is killed as soon as its program starts: the conversation that it chose is continued, not begun again. */
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { divisi, unconfined } from '../support/divisi.ts';
import { startDivisi } from '../support/running.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { type ModelApi, startModelApi } from './model-api/model-api.ts';
import type { ModelRequest } from './model-api/script.ts';
import { programPath } from './programs.ts';
import { broughtHome, taskOf, vendorProject, willing } from './vendor-project.ts';

const folder = temporaryFolders();
let api: ModelApi | undefined;
afterEach(() => api?.close());

/** Claude Code names its session in each request. */
function sessionOf({ body }: ModelRequest): string {
  const { user_id: user = '' } = (body['metadata'] ?? {}) as { user_id?: string };
  return /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=\W*$)/.exec(user)?.[0] ?? user;
}

test.each([
  ['works on alone for a while', true],
  ['has written nothing', false],
])('claude one-shot, whose program %s', async (_, worksOn) => {
  const root = folder();
  const started = join(root, 'started');
  let answered = 0;
  api = await startModelApi((request) => {
    if (taskOf(request) !== '1.1') return willing(request);
    answered += 1;
    if (answered === 1 && worksOn) return { does: 'stall' };
    // Nothing is done yet, however often it was asked.
    return willing({ ...request, turn: answered - (worksOn ? 2 : 1) });
  });
  const made = vendorProject(root, api.url, {
    // Somebody else reviews.
    config: 'driver: one\ntiers: { deep: goose }\ndrivers: { one: { kind: one-shot, profile: claude } }\n',
    tasks: { '1.1': ['standard', 'worker'] },
  });
  // From inside of a confined room, nobody kills the orchestrator.
  const place = { ...made, variables: { ...made.variables, ...unconfined } };
  const program = join(root, 'bin/claude');
  const real = programPath('claude');
  rmSync(program);
  const first = `if [ ! -e '${started}' ]; then echo "$@" > '${started}'; kill -9 $PPID; ${worksOn ? '' : 'exit 1; '}fi`;
  writeFileSync(program, `#!/bin/sh\n${first}\necho "$@" >> '${started}'\nexec '${real}' "$@"\n`);
  chmodSync(program, 0o755);

  const running = startDivisi(['run', 'plan.md'], place);
  await running.ended;
  if (worksOn) await api.called(1);
  const [run = ''] = /run_\w+/.exec(running.stdout()) ?? [];
  expect(await divisi(['resume', run], place)).toMatchObject({ code: 0 });
  expect(broughtHome(place.cwd, '1.1.txt')).toBe('by claude');
  const sessions = new Set(api.requests.filter((one) => taskOf(one) === '1.1').map(sessionOf));
  expect(sessions.size).toBe(1);
  const [session = ''] = sessions;
  const [chosen = ''] = readFileSync(started, 'utf8').split('\n');
  expect(chosen).toContain(`--session-id ${session}`);
});
