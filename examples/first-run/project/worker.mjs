/**
 * Replaces coding agents: any command can be an agent. The environment gives its role and task; it does the task, checks it, and
 * returns on standard output. The files it "writes" are prepared in work/; the checks and their results are real. It makes
 * the mistakes of real agents: at tier fast, task 1.1 fails its check; task 1.2 has a mistake that only the review finds, and
 * its return has the wrong form until it is asked again; and it claims to have done task 1.3 when it has done nothing.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const {
  DIVISI_AGENT: agent,
  DIVISI_TASK: task,
  DIVISI_ATTEMPT: attempt,
  DIVISI_TIER: tier,
  DIVISI_RUN: run,
  DIVISI_REPORT_PATH: report,
  DIVISI_WORKLOG_PATH: worklog,
} = process.env;
const isRepair = process.argv.includes('--repair');

const module = (code) => ['--input-type=module', '-e', code];
const prices = module(`
  import { parsePrices } from './src/parse-prices.mjs';
  let rows;
  try { rows = parsePrices('viola'); } catch {}
  if (rows) throw new Error('a line without a price is taken for ' + rows[0].cents + ' cents');`);
const money = module(`
  import { formatMoney } from './src/format-money.mjs';
  if (formatMoney(1005) !== '10.05') throw new Error('1005 cents are shown as ' + formatMoney(1005) + ', not as 10.05');`);
const checks = {
  1.1: prices,
  1.2: ['--check', 'src/format-money.mjs'],
  1.3: ['-e', "if (fs.readFileSync('data/prices.csv', 'utf8').split('\\n').length < 4) process.exit(1)"],
  2.1: ['src/report.mjs', 'data/prices.csv'],
  2.2: ['--test', '--test-reporter=tap', 'test/report.test.mjs'],
};

function check(args) {
  const { status, stdout, stderr } = spawnSync('node', args, { encoding: 'utf8' });
  const error = stderr.split('\n').find((line) => line.includes('Error: '));
  return { ok: status === 0, words: error ?? (stdout.trim().split('\n').at(-1) || 'no complaint') };
}

/** One line: priority, action, path of the review. */
function review() {
  const { ok, words } = check(money);
  writeFileSync(report, `# Review\n\n${ok ? 'No findings.' : `src/format-money.mjs is wrong: ${words}`}\n`);
  console.log(ok ? `LOW|continue|${report}` : `HIGH|pad-the-cents|${report}`);
}

function work() {
  const source = join(
    'work',
    agent === 'fixer' ? 'fix' : existsSync(`work/${task}-${tier}`) ? `${task}-${tier}` : task,
  );
  const files = readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(source, join(entry.parentPath, entry.name)));
  const isLie = task === '1.3' && attempt === '1';
  if (!isRepair && !isLie) cpSync(source, '.', { recursive: true });

  const args = agent === 'fixer' ? money : checks[task];
  const { ok, words } = isLie ? { ok: true, words: 'no complaint' } : check(args);
  if (!ok) {
    console.error(words);
    process.exit(1);
  }
  if (task === '1.2' && !isRepair) {
    console.log('All done! The money is formatted now, and I am sure that it works.');
    return;
  }
  const touched = files.map((file) => `  - { resource: ${file}, action: create }`);
  console.log(`---
schema_version: 1.0.0
run_id: ${run}
task_id: "${task}"
status: done
files_touched:
${touched.join('\n')}
acceptance_check:
  - criterion: "C1: it passes its check"
    status: pass
    evidence: ${JSON.stringify(`node ${args[0]}: ${words}`)}
notes_for_orchestrator: []
worklog_path: ${worklog}
---
## Summary
Wrote ${files.join(', ')} and checked it.`);
}

await new Promise((resolve) => setTimeout(resolve, 300 + Math.random() * 500));
if (agent === 'wave-reviewer') review();
else work();
