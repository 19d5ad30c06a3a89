/** The plugin in the real client: it is valid, can be installed, and its commands reach our server. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { repository } from '../support/repository.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { mainFile } from '../support/divisi.ts';
import { call, say } from './conversation/actors.ts';
import { exchangesIn } from './conversation/captured.ts';
import { placeIn, surroundings } from './conversation/place.ts';
import { openStage, type Stage, versions } from './conversation/stage.ts';
import { programPath } from './programs.ts';

const temporary = temporaryFolders();
const plugin = join(repository, 'plugin');

/** `divisi` as it is found on the PATH once the package is installed. */
function commandIn(folder: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'divisi'), `#!/bin/sh\nexec '${process.execPath}' '${mainFile}' "$@"\n`, { mode: 0o755 });
  return folder;
}

describe.each(versions)('%s', (version) => {
  let stage: Stage | undefined;
  afterEach(async () => {
    await stage?.close();
    stage = undefined;
  });

  it('validates the plugin and the marketplace, and installs it', () => {
    const root = temporary();
    const place = placeIn(root);
    // As it is in a package: nothing else of the repository is there.
    const published = join(root, 'package');
    for (const part of ['plugin', '.claude-plugin'])
      cpSync(join(repository, part), join(published, part), { recursive: true });
    // No one answers there, and no one is asked.
    const env = surroundings(place, 'http://127.0.0.1:9', [], {});
    const claude = (...words: string[]): string =>
      execFileSync(programPath(version), ['plugin', ...words], { cwd: place.project, env, encoding: 'utf8' });
    expect(claude('validate', '--strict', join(published, 'plugin'))).toContain('Validation passed');
    expect(claude('validate', '--strict', published)).toContain('Validation passed');
    expect(claude('marketplace', 'add', published)).toContain('Successfully added marketplace: divisi');
    expect(claude('install', 'divisi@divisi')).toContain('Successfully installed plugin: divisi@divisi');
    const installed = readFileSync(join(place.settings, 'plugins/installed_plugins.json'), 'utf8');
    expect(JSON.parse(installed)).toMatchObject({ plugins: { 'divisi@divisi': [{ scope: 'user' }] } });
  });

  it('a command of the person calls our tool without being asked for leave', async () => {
    const root = temporary();
    const cast = { main: [call('mcp__plugin_divisi_divisi__run', {}), say('That is what there is.')] };
    stage = await openStage(cast, { root, version, plugins: [plugin], folders: [commandIn(join(root, 'bin'))] });
    writeFileSync(join(stage.place.project, 'plan.md'), '# Parts\n\n## Wave 1: All\n\n- [ ] 1.1 Move the part\n');
    const { code, result } = await stage.headless('/divisi:run').ended;
    expect({ code, said: result['result'], denied: result['permission_denials'] }).toEqual({
      code: 0,
      said: 'That is what there is.',
      denied: [],
    });
    const [first, second] = stage.mainRequests();
    expect(first?.messages.map(({ text }) => text).join('\n')).toContain('with no input, offer the person');
    expect(second && exchangesIn(second)).toMatchObject([{ result: expect.stringContaining('plan.md') }]);
  });

  it('tells the model about tools and agents in few characters, and not about commands', async () => {
    const root = temporary();
    const setting = { version, folders: [commandIn(join(root, 'bin'))] };
    const requests = [];
    const definitions: number[] = [];
    for (const plugins of [[], [plugin]]) {
      stage = await openStage(
        { main: [say('Yes.')] },
        { ...setting, plugins, root: join(root, String(plugins.length)) },
      );
      await stage.headless('Are you there?').ended;
      requests.push(stage.mainRequests()[0]);
      definitions.push(stage.definitionCharacters('mcp__plugin_divisi_divisi__'));
      await stage.close();
    }
    expect(definitions[1]).toBeGreaterThan(0);
    expect(definitions[1]).toBeLessThanOrEqual(2100);
    const [without = 0, having = 0] = requests.map((one) => JSON.stringify(one?.body['messages']).length);
    expect(having - without).toBeGreaterThan(200);
    expect(having - without).toBeLessThanOrEqual(400);
    expect(JSON.stringify(requests[1]?.body)).not.toContain('divisi:approve');
  });
});
