/** F19: an agent over ACP asks to read through links of its own, and to change what git and Divisi obey. */
import { realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { toolCalls } from '../../src/drivers/acp/tool-calls.ts';
import { answerPermission } from '../../src/drivers/acp/permission.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const folder = temporaryFolders();
const top = realpathSync(folder({ 'room/a.txt': '', 'project/node_modules/x.js': '', 'project/.env': 'KEY=1\n' }));
const directory = join(top, 'room');
symlinkSync(join(top, 'project/node_modules'), join(directory, 'node_modules'));
symlinkSync(join(top, 'project'), join(directory, 'own'));
symlinkSync(join(directory, '.git'), join(directory, 'git-by-another-name'));

const options = ['allow_once', 'reject_once'].map((kind) => ({ kind, optionId: kind }));

async function isGranted(kind: string, path: string): Promise<boolean> {
  const linked = [{ path: 'node_modules', target: join(top, 'project/node_modules') }];
  const params = { toolCall: { toolCallId: '1', kind, title: kind, rawInput: { file_path: path } }, options };
  return (await answerPermission(params, toolCalls(), { directory, rules: {}, linked })).granted;
}

it.each([
  ['read', 'a.txt', true],
  ['read', 'node_modules/x.js', true],
  ['read', 'own/.env', false],
  ['search', 'own', false],
  ['edit', 'a.txt', true],
  ['edit', '.divisi/runs/r/report.md', true],
  ['edit', '.git/config', false],
  ['edit', '.GIT/hooks/post-merge', false],
  ['edit', 'git-by-another-name/config', false],
  ['delete', '.git/index', false],
  ['edit', '.divisi/config.yaml', false],
  ['move', '.Divisi/Agents/wave-reviewer.md', false],
])('%s %s: %s', async (kind, path, expected) => {
  expect(await isGranted(kind, path)).toBe(expected);
});
