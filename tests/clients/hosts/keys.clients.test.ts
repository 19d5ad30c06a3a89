/** Keys reach the server in every host: some pass all variables on, the others those that `divisi doctor --host … --write` has named. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { divisi } from '../../support/divisi.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';
import type { ClientName } from '../programs.ts';
import { callOurs, type Host, openHost } from './host.ts';
import { ownAgentsProject } from './own-agents.ts';

const temporary = temporaryFolders();
let host: Host | undefined;
afterEach(async () => host?.close());

const keys = { ANTHROPIC_API_KEY: 'dummy-anthropic', OPENAI_API_KEY: 'dummy-openai', GEMINI_API_KEY: 'dummy-gemini' };

/** A host that knows nothing of Divisi yet. */
async function open(client: ClientName, variables: Readonly<Record<string, string>>): Promise<Host> {
  host = await openHost({
    client,
    root: temporary(),
    project: ownAgentsProject(temporary),
    isUnset: true,
    variables: { ...keys, ...variables },
    script: (request) => {
      if (request.tools.length === 0 || request.turn > 0) return { does: 'say', text: 'Done.' };
      return callOurs(request, 'run', {});
    },
  });
  return host;
}

const alias = { DIVISI_ANTHROPIC_API_KEY: keys.ANTHROPIC_API_KEY, DIVISI_OPENAI_API_KEY: keys.OPENAI_API_KEY };

describe.each([
  ['codex', {}],
  ['gemini', {}],
  ['copilot', alias],
  ['goose', {}],
  ['opencode', {}],
] as const)('%s', (client, variables) => {
  it('passes the keys of agents to the server', async () => {
    const { project, home, env: own, tell, api, variablesPassed } = await open(client, variables);
    const env = { ...own, XDG_CONFIG_HOME: join(home, '.config') };
    const wrote = await divisi(['doctor', '--host', client, '--write', '--json'], { cwd: project, variables: env });
    expect(wrote).toMatchObject({ code: 0, stderr: '' });
    const { file, written } = JSON.parse(wrote.stdout) as { file: string; written: boolean };
    expect(written).toBe(true);
    // OpenCode's own settings have its model's key.
    expect(readFileSync(file, 'utf8')).not.toMatch(/dummy-(?:anthropic|openai|gemini)/);
    await tell('Go.');
    expect(api.faults).toEqual([]);
    expect(variablesPassed()).toMatchObject(keys);
    const again = await divisi(['doctor', '--host', client, '--json'], { cwd: project, variables: env });
    expect(JSON.parse(again.stdout)).toMatchObject({ ok: true, written: false });
  });
});
