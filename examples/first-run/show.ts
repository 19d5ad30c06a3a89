/**
 * `npm start`: a small real project in a temporary folder, and a plan that runs over it with real processes: tasks side by
 * side, a dependency, and a return that is not accepted and repaired. No network, no key, no terminal needed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tutti-first-run-'));
cpSync(fileURLToPath(new URL('project', import.meta.url)), folder, { recursive: true });
const plans = join(folder, '.tutti', 'plans');
const plan = (): string => join(plans, readdirSync(plans)[0] ?? '');

function write(...lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

async function tutti(...args: readonly string[]): Promise<number> {
  write(`$ tutti ${args.join(' ')}`);
  const child = spawn(process.execPath, [main, ...args], { cwd: folder, stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

write(`A small project has been made in ${folder}.`, '');
const code = await tutti('run', plan().slice(folder.length + 1));
write('', 'The plan, as the run has left it:', '');
write(
  ...readFileSync(plan(), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|') || line.startsWith('## Wave')),
);
write('', `Look around in ${folder}, or see what one task has to say:`, '');
const report = await tutti('report', '1.2', '--section', 'summary');
process.exitCode = code === 0 ? report : code;
