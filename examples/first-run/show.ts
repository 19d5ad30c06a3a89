/**
 * `npm start`: runs a plan over a small real project in a temporary folder, with real processes: parallel tasks in rooms, a
 * dependency, an agent that is caught lying, a refused return that is repaired, a failure that is escalated, a review that
 * sends work back for a fix, and a checkpoint, which this program answers instead of a person. The work is merged at the end.
 * Needs no network, no key and no terminal.
 */
import { execFileSync, spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readLedger } from '../../src/index.ts';

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'divisi-first-run-'));
cpSync(fileURLToPath(new URL('project', import.meta.url)), folder, { recursive: true });
const plans = join(folder, '.divisi', 'plans');
const plan = (): string => join(plans, readdirSync(plans)[0] ?? '');

/** The exit code of a run that waits for a person. */
const needsAnswer = 5;

function write(...lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

async function divisi(...args: readonly string[]): Promise<number> {
  write(`$ divisi ${args.map((word) => (word.includes(' ') ? `"${word}"` : word)).join(' ')}`);
  const child = spawn(process.execPath, [main, ...args], { cwd: folder, stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

function git(...args: readonly string[]): string {
  const who = ['-c', 'user.name=First run', '-c', 'user.email=first-run@localhost', '-c', 'commit.gpgSign=false'];
  return execFileSync('git', [...who, ...args], { cwd: folder, encoding: 'utf8' });
}

git('init', '--quiet', '--initial-branch=main');
git('add', '--all');
git('commit', '--quiet', '--no-verify', '--message=A small project');
write(`Created a small project in ${folder}.`, '');
/** In a terminal, the run waits at its checkpoint. Another process answers it after a moment to read the question. */
async function answerWhenAsked(signal: AbortSignal): Promise<void> {
  const ledger = readLedger(folder);
  while (ledger.runs().length === 0) await sleep(200);
  ledger.close();
  await sleep(1000);
  const stdio: StdioOptions = ['ignore', 'pipe', 'ignore'];
  const child = spawn(process.execPath, [main, 'events', '--follow', '--json'], { cwd: folder, stdio, signal });
  child.on('error', () => undefined);
  for await (const line of createInterface({ input: child.stdout as Readable })) {
    if ((JSON.parse(line) as { kind: string }).kind !== 'checkpoint.opened') continue;
    await sleep(4000);
    spawn(process.execPath, [main, 'approve'], { cwd: folder, stdio: 'ignore' });
  }
}

const over = new AbortController();
if (process.stdout.isTTY) void answerWhenAsked(over.signal);
let code = await divisi('run', plan().slice(folder.length + 1));
over.abort();
// Without a terminal, the run stops at the checkpoint. A person would inspect the files before answering.
if (code === needsAnswer) {
  write('');
  code = await divisi('approve', '--note', 'they look right');
  if (code === 0) code = await divisi('resume');
}
write('', 'The plan after the run:', '');
write(
  ...readFileSync(plan(), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|') || line.startsWith('## Wave')),
);
write('', 'The work is not in your checkout yet. To merge it:', '');
const merged = code === 0 ? await divisi('merge') : code;
write('', '$ git log --oneline', git('log', '--oneline').trimEnd());
write('', '$ node src/report.mjs data/prices.csv');
write(
  execFileSync(process.execPath, ['src/report.mjs', 'data/prices.csv'], { cwd: folder, encoding: 'utf8' }).trimEnd(),
);
write('', `Look around in ${folder}, or read the report of one task:`, '');
const report = await divisi('report', '1.2', '--section', 'summary');
process.exitCode = merged === 0 ? report : merged;
