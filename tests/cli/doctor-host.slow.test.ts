/** `divisi doctor --host`: shows what it would write, writes only when told to, and never a value. */
import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { gitProject } from '../support/committed-project.ts';
import { divisi, type Run } from '../support/divisi.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const temporary = temporaryFolders();
const key = { ANTHROPIC_API_KEY: 'sk-never-written' };
const doctor = (cwd: string, ...args: readonly string[]): Promise<Run> =>
  divisi(['doctor', ...args], { cwd, variables: key });

it('shows the entry for Codex first, and adds it to what a person wrote, through their link', async () => {
  const cwd = gitProject(temporary);
  const file = join(cwd, '.codex/config.toml');
  const shown = await doctor(cwd, '--host', 'codex');
  expect(shown.stdout).toContain(`would be added to ${file}:\n[mcp_servers.divisi]\n`);
  expect(shown.stdout).toContain('env_vars = ["ANTHROPIC_API_KEY", ');
  expect(existsSync(file)).toBe(false);
  mkdirSync(join(cwd, '.codex'));
  writeFileSync(join(cwd, 'dotfile.toml'), 'model = "mine" # kept\n');
  symlinkSync('../dotfile.toml', file);
  const { stdout } = await doctor(cwd, '--host', 'codex', '--write', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ host: 'codex', file, written: true });
  expect(lstatSync(file).isSymbolicLink()).toBe(true);
  const text = readFileSync(file, 'utf8');
  expect(text).toMatch(/^model = "mine" # kept\n\n\[mcp_servers\.divisi\]\n/);
  expect(stdout + text + shown.stdout).not.toContain(key.ANTHROPIC_API_KEY);
  const again = await doctor(cwd, '--host', 'codex', '--write', '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ written: false });
  expect(readFileSync(file, 'utf8')).toBe(text);
});

it('says which variables an entry lacks, and what Copilot keeps to itself', async () => {
  const cwd = gitProject(temporary, {
    files: { '.gemini/settings.json': '{"mcpServers":{"divisi":{"command":"divisi","args":["mcp"]}}}' },
  });
  const gemini = await doctor(cwd, '--host', 'gemini');
  expect(gemini.code).toBe(1);
  expect(gemini.stdout).toMatch(/problem +variables +Gemini CLI does not pass ANTHROPIC_API_KEY/);
  const copilot = await doctor(cwd, '--host', 'copilot');
  expect(copilot.stdout).toContain('export DIVISI_ANTHROPIC_API_KEY="$ANTHROPIC_API_KEY"');
  expect(copilot.stdout).not.toContain('${DIVISI_ANTHROPIC_API_KEY}');
});

it('does not follow a link of the project, and refuses what it does not know', async () => {
  const cwd = gitProject(temporary);
  symlinkSync('/etc/hostname', join(cwd, '.mcp.json'));
  expect(await doctor(cwd, '--host', 'claude', '--write')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is a link'),
  });
  expect(await doctor(cwd, '--host', 'emacs')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('unknown host "emacs"'),
  });
  expect(await doctor(cwd, '--write')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--write belongs to --host'),
  });
});

it('is content with Claude Code where `claude mcp add` was used', async () => {
  const cwd = gitProject(temporary, { files: { '.claude.json': '{"mcpServers":{"divisi":{"command":"divisi"}}}' } });
  const { stdout } = await doctor(cwd, '--host', 'claude', '--write', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ written: false });
  expect(existsSync(join(cwd, '.mcp.json'))).toBe(false);
});
