/** `divisi logs` of an agent whose client keeps a transcript. */
import { appendFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { compressTranscript } from '../../src/drivers/transcript/compress-transcript.ts';
import { transcriptFile } from '../../src/drivers/transcript/transcript-file.ts';
import { ledgerOf, projectFiles, said } from '../support/project.ts';
import { startDivisi, until } from '../support/running.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { divisi } from '../support/divisi.ts';
import { stateFolder } from '../../src/workspace/places.ts';

const folder = temporaryFolders();
const sample = new URL('../vectors/transcripts/', import.meta.url);
const wire = readFileSync(new URL('tool.claude.jsonl', sample), 'utf8');
const rendered = readFileSync(new URL('tool.claude.txt', sample), 'utf8');
const key = ['sk', 'ant', 'api03', 'abcdefghijkl'].join('-');

function transcriptOf(cwd: string, run: string, delegation: string, dialect: string): string {
  const file = transcriptFile(join(stateFolder(cwd), 'runs', run, 'transcripts', delegation), dialect);
  mkdirSync(dirname(file), { recursive: true });
  return file;
}

describe('a task that has ended', () => {
  let cwd = '';
  let run = '';
  let file = '';
  const ask = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await divisi(['logs', '1.1', ...args], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  };

  beforeAll(async () => {
    cwd = folder(projectFiles({}));
    await divisi(['run', 'plan.md'], { cwd });
    const shown = JSON.parse((await divisi(['logs', '1.1', '--json'], { cwd })).stdout) as Record<string, string>;
    run = shown['run'] ?? '';
    file = transcriptOf(cwd, run, shown['delegation'] ?? '', 'claude');
    writeFileSync(file, `${wire}{"type":"system","note":"${key}"}\n`);
  });

  it('shows what it did and said', async () => {
    expect(await ask()).toBe(rendered);
  });

  it('--raw: the messages themselves, without secrets', async () => {
    expect(await ask('--raw')).toBe(`${wire}{"type":"system","note":"[redacted:anthropic]"}\n`);
  });

  it('--json: the files and what they tell', async () => {
    const { files, entries } = JSON.parse(await ask('--json')) as { files: { file: string }[]; entries: object[] };
    expect(files.map((one) => one.file)).toContain(file);
    expect(entries).toContainEqual(
      expect.objectContaining({ kind: 'tool-ended', name: 'Bash', failed: true, detail: 'Exit code 3' }),
    );
  });

  it('--json --follow: a line for each entry', async () => {
    const lines = (await ask('--json', '--follow')).trimEnd().split('\n');
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ run, task: '1.1', kind: 'usage' });
  });

  it('what it said on standard error, where something went wrong', async () => {
    const other = folder(projectFiles({ behave: { '1.1': 'fail' } }));
    await divisi(['run', 'plan.md'], { cwd: other });
    const shown = JSON.parse((await divisi(['logs', '1.1', '--json'], { cwd: other })).stdout) as Record<
      string,
      string
    >;
    writeFileSync(
      transcriptOf(other, shown['run'] ?? '', shown['delegation'] ?? '', 'codex'),
      '{"type":"turn.failed","error":{"message":"no more"}}\n',
    );
    expect((await divisi(['logs', '1.1'], { cwd: other })).stdout).toBe('error   no more\nstderr  out of luck\n');
  });

  it('the same when it is compressed', async () => {
    await compressTranscript(file);
    expect(await ask()).toBe(rendered);
    expect(await ask('--raw')).toContain('[redacted:anthropic]');
  });

  it('its output if a link has replaced the transcript', async () => {
    const other = folder(projectFiles({}));
    await divisi(['run', 'plan.md'], { cwd: other });
    const shown = JSON.parse((await divisi(['logs', '1.1', '--json'], { cwd: other })).stdout) as Record<
      string,
      string
    >;
    writeFileSync(join(other, 'private'), '{"type":"text","part":{"text":"private words"}}\n');
    symlinkSync(join(other, 'private'), transcriptOf(other, shown['run'] ?? '', shown['delegation'] ?? '', 'opencode'));
    const { code, stdout } = await divisi(['logs', '1.1'], { cwd: other });
    expect(code).toBe(0);
    expect(stdout).toContain('## Summary');
    expect(stdout).not.toContain('private words');
  });
});

it('--follow shows what comes, what is in progress, and ends with the delegation', async () => {
  const cwd = folder(projectFiles({ behave: { '1.1': 'hold' } }));
  const running = startDivisi(['run', 'plan.md'], { cwd });
  await until(
    () => said(cwd),
    (seen) => seen.includes('start 1.1 1'),
  );
  const logs = startDivisi(['logs', '1.1', '--follow'], { cwd });
  const { run, delegations } = ledgerOf(cwd).report;
  const file = transcriptOf(cwd, run, delegations[0]?.delegation ?? '', 'claude');
  const lines = wire.trimEnd().split('\n');
  writeFileSync(file, `${lines.slice(0, 2).join('\n')}\n`);
  await until(
    () => logs.stdout(),
    (seen) => seen.includes('tool    Bash ls nowhere; exit 3 (running)\n'),
  );
  appendFileSync(file, `${lines.slice(2).join('\n')}\n`);
  await until(
    () => logs.stdout(),
    (seen) => seen.includes('Second line.\n'),
  );
  writeFileSync(join(cwd, 'go-on'), '');
  expect((await running.ended).code).toBe(0);
  const { code, stdout } = await logs.ended;
  expect(code).toBe(0);
  expect(stdout.replace('tool    Bash ls nowhere; exit 3 (running)\n', '')).toBe(rendered);
});
