/** A repository with a plan of many small tasks, and a `git` that says what is asked of it. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeRepository, put } from './git-project.ts';

/** Writes one file and says so. Plain sh: it must cost less than what is done for it. */
const agent = `
mkdir -p out
echo "$DIVISI_DELEGATION" > "out/$DIVISI_TASK"
cat <<RETURN
---
schema_version: 1.0.0
run_id: $DIVISI_RUN
task_id: "$DIVISI_TASK"
status: done
files_touched:
  - resource: out/$DIVISI_TASK
    action: create
acceptance_check:
  - criterion: it is written
    status: pass
    evidence: cat out/$DIVISI_TASK
notes_for_orchestrator: []
worklog_path: $DIVISI_WORKLOG_PATH
---
## Summary
Wrote $DIVISI_TASK. The end.
RETURN
`;

const reviewer = `
echo '# Review' > "$DIVISI_REPORT_PATH"
echo "LOW|nothing-to-do|$DIVISI_REPORT_PATH"
`;

export const taskIds = (count: number): string[] => Array.from({ length: count }, (_, at) => `1.${at + 1}`);

/** Makes the project in `folder/project`, and the agent beside it; returns the project. */
export function manyTasks(folder: string, count: number): string {
  const project = join(folder, 'project');
  put(folder, { 'agent.sh': agent, 'review.sh': reviewer });
  const rows = taskIds(count).map((id) => `| ${id} | Do ${id} | [ ] | out/${id} |`);
  const settings = [`Command: sh "${folder}/agent.sh"`, `Review: sh "${folder}/review.sh"`, 'Concurrency: 4'];
  const head = ['| ID | Task | Status | Scope |', '|---|---|---|---|'];
  put(project, {
    'plan.md': [
      '# Plan: Many',
      '',
      '## Settings',
      '',
      ...settings.map((line) => `- ${line}`),
      '',
      '## Wave 1: All',
      '',
      ...head,
      ...rows,
      '',
    ].join('\n'),
    ...Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`src/part-${at}.txt`, `Part ${at}\n`])),
  });
  makeRepository(project);
  return project;
}

export interface ListeningGit {
  /** With this `git` first. */
  readonly path: string;
  /** Its calls so far: the process, and the arguments. */
  readonly calls: () => { readonly pid: number; readonly words: string }[];
}

/** Notes every start of git, then runs it. `before` is shell code that may do something else; `$count` is the number of calls so far. */
export function listeningGit(folder: string, before = ''): ListeningGit {
  const log = join(folder, 'git.log');
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const count = before === '' ? '' : `count=$(wc -l < '${log}')\n`;
  const script = `#!/bin/sh\necho "$$ $*" >> '${log}'\n${count}${before}\nexec '${real}' "$@"\n`;
  put(folder, { 'bin/git': script });
  chmodSync(join(folder, 'bin/git'), 0o755);
  const calls: ListeningGit['calls'] = () => {
    const lines = existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : [];
    return lines.map((line) => ({ pid: Number.parseInt(line, 10), words: line.slice(line.indexOf(' ')) }));
  };
  return { path: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`, calls };
}
