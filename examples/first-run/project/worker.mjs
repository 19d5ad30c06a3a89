/**
 * Stands in for a coding agent: any command can be one. It is told its task in the environment, does it, checks it, and
 * returns a report on its standard output. What it "writes" lies ready in work/; the files, the check and its evidence
 * are real. Task 1.2 forgets the form of its return at first, as agents do; asked again, it remembers.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

const { TUTTI_TASK: task, TUTTI_RUN: run, TUTTI_WORKLOG_PATH: worklog } = process.env;
const isRepair = process.argv.includes('--repair');

const checks = {
  1.1: ['--check', 'src/parse-prices.mjs'],
  1.2: ['--check', 'src/format-money.mjs'],
  1.3: ['-e', "if (fs.readFileSync('data/prices.csv', 'utf8').split('\\n').length < 4) process.exit(1)"],
  2.1: ['src/report.mjs', 'data/prices.csv'],
  2.2: ['--test', '--test-reporter=tap', 'test/report.test.mjs'],
};

const source = join('work', task);
const files = readdirSync(source, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(source, join(entry.parentPath, entry.name)));

if (!isRepair) {
  await new Promise((resolve) => setTimeout(resolve, 300 + Math.random() * 500));
  cpSync(source, '.', { recursive: true });
}
const said = execFileSync('node', checks[task], { encoding: 'utf8' });
const evidence = `node ${checks[task][0]}: ${said.trim().split('\n').at(-1) || 'no complaint'}`;

if (task === '1.2' && !isRepair) {
  console.log('All done! The money is formatted now, and I am sure that it works.');
} else {
  const touched = files.map((file) => `  - { resource: ${file}, action: create }`);
  console.log(`---
schema_version: 1.0.0
run_id: ${run}
task_id: "${task}"
status: done
files_touched:
${touched.join('\n')}
acceptance_check:
  - criterion: it passes its check
    status: pass
    evidence: ${JSON.stringify(evidence)}
notes_for_orchestrator: []
worklog_path: ${worklog}
---
## Summary
Wrote ${files.join(', ')} and checked it.`);
}
