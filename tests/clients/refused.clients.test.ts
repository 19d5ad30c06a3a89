/**
 * A refused permission: programs that end their turn with it continue in the same conversation. Unconfined, because a confined program
 * may not see what it would ask for.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { divisi, unconfined } from '../support/divisi.ts';
import { put } from '../support/git-project.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { drive, type Driven, good, type Ground, groundFor } from './drive.ts';
import { type ClientFacts, overAcp } from './facts.ts';
import { type ModelApi, startModelApi } from './model-api/model-api.ts';
import type { ModelRequest, Script, Step } from './model-api/script.ts';
import type { ClientName } from './programs.ts';
import { broughtHome, vendorProject, willing } from './vendor-project.ts';

const folder = temporaryFolders();
const clients: readonly ClientName[] = ['codex', 'opencode', 'copilot'];
const endTheirTurn = overAcp.filter(({ client }) => clients.includes(client));

let ground: Ground | undefined;
let driven: Driven | undefined;
let api: ModelApi | undefined;
afterEach(async () => {
  await driven?.close();
  await api?.close();
  ground?.clear();
  [driven, api, ground] = [undefined, undefined, undefined];
});

/** Codex asks only before it leaves its sandbox. */
function reachOut({ dialect }: ModelRequest, file: string): Step {
  if (dialect !== 'responses') return { does: 'write', path: file, text: 'x' };
  const input = { cmd: `printf x > ${file}`, sandbox_permissions: 'require_escalated', justification: 'May I?' };
  return { does: 'call', calls: [{ name: 'exec_command', input }] };
}

const isToldOf = ({ messages }: ModelRequest, file: string): boolean =>
  messages.some(({ role, text }) => role === 'user' && text.includes('was refused') && text.includes(file));

async function begin(facts: ClientFacts, script: (file: string) => Script): Promise<{ file: string; driven: Driven }> {
  ground = groundFor(facts);
  const file = join(ground.outside, 'x.txt');
  put(ground.root, { 'divisi/config/divisi/config.yaml': 'confine: { mode: off }\n' });
  driven = await drive(facts, ground, script(file));
  return { file, driven };
}

it.each(endTheirTurn.map((facts) => [facts.client, facts] as const))(
  '%s continues without what was refused, and returns',
  async (_, facts) => {
    const { file, driven } = await begin(facts, (outside) => (request) => {
      if (request.results.some((text) => text.includes('Received.'))) return { does: 'say', text: 'Done.' };
      if (!isToldOf(request, outside)) return reachOut(request, outside);
      return existsSync(join(room(), 'made.txt')) ? good : { does: 'write', path: 'made.txt', text: 'made\n' };
    });
    function room(): string {
      return driven.task.directory;
    }
    expect(await driven.first).toMatchObject({ end: 'returned', via: 'tool' });
    expect(driven.api.faults).toEqual([]);
    expect(existsSync(file)).toBe(false);
    expect(readFileSync(join(room(), 'made.txt'), 'utf8')).toBe('made\n');
    // One conversation.
    expect(driven.notes.filter(({ kind }) => kind === 'conversation')).toHaveLength(1);
  },
);

/** Of a person who does not confine agents. */
function unconfinedProject(url: string): ReturnType<typeof vendorProject> {
  const made = vendorProject(folder(), url, sample);
  return { ...made, variables: { ...made.variables, ...unconfined } };
}

const outside = '/var/tmp/divisi-refused.txt';
const sample = {
  // Somebody else reviews, and would work at a stronger tier.
  config: 'driver: codex\ntiers: { deep: goose }\n',
  tasks: { '1.1': ['standard', 'worker'] },
} as const;

it('a run asks a person about an agent that does not continue, and does not escalate', async () => {
  api = await startModelApi((request) => reachOut(request, outside));
  const place = unconfinedProject(api.url);
  const { code, stdout } = await divisi(['run', 'plan.md'], place);
  expect(code).toBe(5);
  expect(stdout).toMatch(new RegExp(`printf x > ${outside} was refused: execute is refused by the settings`));
  // Once at first, once more when it was told.
  expect(api.requests.map(({ dialect }) => dialect)).toEqual(['responses', 'responses']);
});

it('a run counts no repair and no failure for it', async () => {
  api = await startModelApi((request) => {
    const { turn, dialect } = request;
    if (dialect !== 'responses') return willing(request);
    return isToldOf(request, outside) ? willing({ ...request, turn: turn - 1 }) : reachOut(request, outside);
  });
  const place = unconfinedProject(api.url);
  expect(await divisi(['run', 'plan.md'], place)).toMatchObject({ code: 0 });
  expect(broughtHome(place.cwd, '1.1.txt')).toBe('by codex');
  const { stdout: events } = await divisi(['events'], place);
  expect(events).toContain('permission.answered');
  expect(events).not.toContain('return.refused');
});
