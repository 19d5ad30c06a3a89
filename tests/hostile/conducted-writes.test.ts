/** F14, F26: agents of a conversation share the user's checkout; where they may not write, and who may speak for them. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HookAnswer } from '../../src/hooks/answer.ts';
import { type Conducted, conducted, delegated, reportOf } from '../support/conducted.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const folder = temporaryFolders();

const write = (run: Conducted, agent_id: string, input: Record<string, string>, tool_name = 'Write') =>
  run.hook('PreToolUse', { agent_id, tool_name, tool_input: input });

const isDenied = (answer: HookAnswer): boolean => JSON.stringify(answer).includes('"permissionDecision":"deny"');

describe('an agent whose task has no scope', () => {
  it('may not write what git or other programs obey', async () => {
    const run = await conducted(folder(), '', { scope: '' });
    const { agent } = await delegated(run, '1.1', 'src/a.txt');
    const at = (path: string): string => join(run.project, path);
    const refused = ['.git/hooks/post-merge', '.git/config', '.GIT/config', 'sub/.Git/config', '.gi\u200dt/config'];
    const allowed: string[] = [];
    for (const path of [...refused, '.claude/settings.json', '.envrc', '.DIVISI/config.yaml'])
      if (!isDenied(await write(run, agent, { file_path: at(path) }))) allowed.push(path);
    expect(allowed).toEqual([]);
    expect(isDenied(await write(run, agent, { file_path: at('src/new.txt') }))).toBe(false);
  });

  it('may not write through a link whose target does not exist yet', async () => {
    const outside = folder();
    const run = await conducted(folder(), '', { scope: '' });
    const { agent } = await delegated(run, '1.1', 'src/a.txt');
    symlinkSync(join(outside, 'new.txt'), join(run.project, 'out'));
    symlinkSync('out', join(run.project, 'second'));
    symlinkSync('.git/hooks/pre-push', join(run.project, 'hook'));
    symlinkSync('circle', join(run.project, 'circle'));
    symlinkSync('src/later.txt', join(run.project, 'inside'));
    const allowed: string[] = [];
    for (const link of ['out', 'second', 'hook', 'circle'])
      if (!isDenied(await write(run, agent, { file_path: join(run.project, link) }))) allowed.push(link);
    expect(allowed).toEqual([]);
    expect(isDenied(await write(run, agent, { file_path: join(run.project, 'inside') }))).toBe(false);
  });
});

it('an agent with a scope may not leave it through a link whose target does not exist yet', async () => {
  const run = await conducted(folder(), '', { scope: 'src' });
  const { agent } = await delegated(run, '1.1', 'src/a.txt');
  symlinkSync('../other.txt', join(run.project, 'src/link'));
  expect(isDenied(await write(run, agent, { file_path: join(run.project, 'src/link') }))).toBe(true);
});

it('a notebook is judged by the path that its tool uses', async () => {
  const run = await conducted(folder());
  const { agent } = await delegated(run, '1.1', 'src/a.txt');
  const paths = { file_path: join(run.project, 'src/a.txt'), notebook_path: join(run.project, '.git/config') };
  expect(isDenied(await write(run, agent, paths, 'NotebookEdit'))).toBe(true);
  const decoy = { file_path: join(run.project, 'other.txt'), path: join(run.project, 'src/a.txt') };
  expect(isDenied(await write(run, agent, decoy))).toBe(true);
});

it('a return of an agent that has not said it is not taken', async () => {
  const run = await conducted(folder());
  const { agent } = await delegated(run, '1.1', 'src/a.txt');
  await write(run, agent, { file_path: join(run.project, 'src/a.txt') });
  const forged = { agent_id: agent, last_assistant_message: reportOf(run.run, '1.1', 'src/a.txt') };
  expect(await run.forged('SubagentStop', forged)).toEqual({ kind: 'nothing' });
  expect((await run.state()).tasks.get('1.1')?.progress.status).toBe('running');
  await run.hook('SubagentStop', forged);
  expect((await run.state()).tasks.get('1.1')?.attempt?.verification?.verdict).toBe('verified');
});
