/** Hooks as a client starts them: the files that the package has, each time in a process of its own. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newRunId } from '../../src/base/ids.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { repository } from '../support/repository.ts';
import { ledgerFile, stateFolder } from '../../src/workspace/places.ts';
import { makeStateFolder } from '../../src/workspace/state-folder.ts';

let root: string;
let dist: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'divisi-hook-'));
  dist = join(root, 'dist');
  mkdirSync(join(root, 'project', '.divisi'), { recursive: true });
  mkdirSync(join(root, 'bare'));
  execFileSync(process.execPath, [join(repository, 'tools/bundle.ts'), dist]);
  // It has no types to remove.
  copyFileSync(join(repository, 'src/divisi.cts'), join(dist, 'divisi.cjs'));
  const ledger = openLedger(ledgerFile(join(root, 'project')));
  ledger.tell(
    newRunId(new Date(0), () => 0),
    { kind: 'pause' },
  );
  ledger.close();
}, 60_000);

afterAll(() => rmSync(root, { recursive: true, force: true }));

const home = (): string => join(root, 'home');

function hook(event: string, input: object | string): { code: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(dist, 'divisi.cjs'), 'hook', event], {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: home(), DIVISI_STATE: process.env['DIVISI_STATE'] },
    input: typeof input === 'string' ? input : JSON.stringify(input),
    encoding: 'utf8',
  });
  return { code: status, stdout, stderr };
}

const silent = { code: 0, stdout: '', stderr: '' };
const plugin = JSON.parse(readFileSync(join(repository, 'plugin/hooks/hooks.json'), 'utf8')) as { hooks: object };
const events = Object.keys(plugin.hooks);

describe('where this conversation conducts no run', () => {
  const said = {
    session_id: 'one',
    tool_name: 'Edit',
    tool_input: { file_path: 'a.ts' },
    agent_id: 'a1',
    prompt: 'go',
  };

  it.each(events)('%s is silent without a ledger', (event) => {
    expect(hook(event, { ...said, hook_event_name: event, cwd: join(root, 'bare') })).toEqual(silent);
  });

  it.each(events)('%s is silent beside a ledger with other runs', (event) => {
    expect(hook(event, { ...said, hook_event_name: event, cwd: join(root, 'project') })).toEqual(silent);
  });

  it.each(['', '[]', '{', 'null', '{"hook_event_name":7}'])('%j is nothing to a hook', (text) => {
    expect(hook('PreToolUse', text)).toEqual(silent);
  });

  it('an invalid ledger blocks nothing, and the person sees why', () => {
    const cwd = join(root, 'broken');
    mkdirSync(join(cwd, '.divisi'), { recursive: true });
    writeFileSync(join(makeStateFolder(cwd), 'ledger.db'), 'not a database');
    const call = { tool_name: 'Agent', tool_input: { prompt: 'look' }, agent_id: '' };
    const { code, stdout, stderr } = hook('PreToolUse', { ...said, ...call, hook_event_name: 'PreToolUse', cwd });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^divisi hook PreToolUse: .+\n$/);
    const named = { ...said, ...call, tool_input: { prompt: 'divisi 1.1' }, hook_event_name: 'PreToolUse', cwd };
    expect(hook('PreToolUse', named).stdout).toContain('Divisi could not delegate it');
  });

  it('leaves nothing behind', () => {
    expect(readdirSync(join(root, 'bare'))).toEqual([]);
    expect([home(), stateFolder(join(root, 'bare'))].map((path) => existsSync(path))).toEqual([false, false]);
  });
});

it('says all of an answer that is larger than a pipe', () => {
  const long = 'é'.repeat(400_000);
  const own = { hook_event_name: 'PreToolUse', session_id: 'one', tool_name: 'mcp__plugin_divisi_divisi__run' };
  const { code, stdout } = hook('PreToolUse', { ...own, tool_input: { plan: long } });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { updatedInput: { plan: long, session: 'one' } } });
});

describe('what a hook loads', () => {
  const text = (name: string): string => readFileSync(join(dist, name), 'utf8');
  const neededBy = (name: string): string[] =>
    // Lazy imports follow `then(`.
    [...text(name).matchAll(/(?<!\(\)=>)require\(["`](\.\/[^"`]+)["`]\)/g)].map(([, file = '']) => file.slice(2));

  it('is one small file at first', () => {
    expect(text('hook.cjs').length).toBeLessThan(9_500);
    expect(neededBy('hook.cjs')).toEqual([]);
    expect(
      [...text('hook.cjs').matchAll(/require\("(node:[^"]+)"\)/g)]
        .map(([, name = '']) => name)
        .toSorted((one, other) => one.localeCompare(other)),
    ).toEqual(['node:fs', 'node:module', 'node:path', 'node:sqlite']);
  });

  it('is what delegations need for delegations only, not for every call of an agent', () => {
    const [tools = ''] = readdirSync(dist).filter((name) => name.startsWith('hook-tools-'));
    expect([...text(tools).matchAll(/hook-delegate-/g)]).toHaveLength(1);
  });

  it('has no schemas, no YAML and no processes for read-only steps', () => {
    const files = readdirSync(dist).filter((name) => /^hook-(?:look|tools)-/.test(name));
    expect(files).toHaveLength(2);
    for (const file of files) {
      expect(text(file)).not.toMatch(/require\("node:(?:child_process|crypto|fs\/promises)"\)/);
      expect(text(file)).not.toMatch(/\b_zod\b|YAMLException/);
    }
  });
});
