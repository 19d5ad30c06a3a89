/** A project whose workers leave a trace of everything they do, so that a test can reconstruct it from outside. */
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadPlan } from '../../src/plan/parse-plan.ts';
import type { PlanTask } from '../../src/plan/plan.ts';
import type { Random } from '../simulation/random.ts';
import { findHomeInShell } from '../support/rooms.ts';
import type { Files } from '../support/temporary-folder.ts';
import { stateFolder } from '../../src/workspace/places.ts';

/**
 * Notes its start, looks whether anyone else is running in its scope, works for its own while, does its work, notes
 * that, and returns. As a reviewer it says LOW, but for the first review of the second wave, which is to be fixed. Plain sh:
 * starting it must cost less than the time in which things happen.
 */
const worker = `#!/bin/sh
${findHomeInShell}
control="$home/../control"
# One that has been killed may stay in the list until somebody has taken note of it, and leave it while we look.
lives() {
  [ -d /proc/self ] || { kill -0 "$1" 2>/dev/null; return; }
  state=$(grep '^State:' "/proc/$1/status" 2>/dev/null) || return 1
  case $state in *[ZX]*) return 1 ;; esac
}
echo "start $DIVISI_TASK $DIVISI_DELEGATION" >> "$control/journal"
if [ "$DIVISI_AGENT" = wave-reviewer ]; then
  sleep 0.05
  echo '# Review' > "$DIVISI_REPORT_PATH"
  echo "done $DIVISI_TASK $DIVISI_DELEGATION" >> "$control/journal"
  if [ "$DIVISI_TASK" = wave-2:review ]; then echo "HIGH|fix-it|$DIVISI_REPORT_PATH"; else echo "LOW|continue|$DIVISI_REPORT_PATH"; fi
  exit 0
fi
folder=$(cat "$control/folders/$DIVISI_TASK")
scope=$(basename "$folder")
mkdir "$control/running/$scope.$$"
for other in "$control/running/$scope".*; do
  pid=\${other##*.}
  if [ "$pid" != $$ ] && lives "$pid"; then echo "overlap $DIVISI_TASK $DIVISI_DELEGATION" >> "$control/journal"; fi
done
sleep "$(cat "$control/durations/$DIVISI_TASK" 2>/dev/null || echo 0.1)"
mkdir -p "$folder"
echo "$DIVISI_DELEGATION" >> "$folder/$DIVISI_TASK"
echo "done $DIVISI_TASK $DIVISI_DELEGATION" >> "$control/journal"
cat <<RETURN
---
schema_version: 1.0.0
run_id: $DIVISI_RUN
task_id: "$DIVISI_TASK"
status: done
files_touched:
  - resource: $folder/$DIVISI_TASK
    action: edit
acceptance_check:
  - criterion: it is written
    status: pass
    evidence: cat $folder/$DIVISI_TASK
notes_for_orchestrator: []
worklog_path: $DIVISI_WORKLOG_PATH
---
## Summary
Wrote $DIVISI_TASK. The end.
RETURN
rmdir "$control/running/$scope.$$"
`;

function planText(random: Random, size: number): string {
  const lines = ['# Survive', '', '## Settings', '- Concurrency: 3', '- Command: ./worker.sh', ''];
  for (let wave = 1; wave <= 3; wave += 1) {
    lines.push(`## Wave ${wave}: part ${wave}`, '', '| ID | Task | Status | Deps | Scope |', '|---|---|---|---|---|');
    for (let at = 1; at <= size; at += 1) {
      const inside = Array.from({ length: at - 1 }, (_, other) => `${wave}.${other + 1}`).filter(() =>
        random.chance(0.3),
      );
      const before = wave > 1 && random.chance(0.3) ? [`${wave - 1}.${1 + random.below(size)}`] : [];
      const deps = [...before, ...inside].join(', ') || '-';
      lines.push(`| ${wave}.${at} | Task ${wave}.${at} | [ ] | ${deps} | out/${random.below(4)} |`);
    }
    lines.push('');
  }
  return lines.join('\n');
}

/** What gates ask for in this plan, in any life. */
export const gateTasks = [
  'final:review',
  'wave-1:review',
  'wave-2:fix',
  'wave-2:review',
  'wave-2:review-2',
  'wave-3:review',
];

export interface CrashProject {
  /** In `project` and, beside it, in `control`: what the workers are told, and what they did. */
  readonly files: Files;
  readonly tasks: readonly PlanTask[];
  /** Where each task, and the fix, leaves its file. */
  readonly places: ReadonlyMap<string, string>;
}

/** `size`: tasks in each wave. */
export function crashProject(random: Random, size: number): CrashProject {
  const text = planText(random, size);
  const { plan } = loadPlan(text, 'plan.md');
  const tasks = plan.waves.flatMap(({ tasks: all }) => all);
  const files: Record<string, string> = {
    'project/plan.md': text,
    'project/worker.sh': worker,
    'control/journal': '',
    'control/running/.keep': '',
  };
  const folders = new Map(tasks.map(({ id, scope: [folder = '.'] }) => [id, folder]));
  // A fix may touch what the tasks of its wave may.
  folders.set('wave-2:fix', folders.get('2.1') ?? '.');
  for (const [id, folder] of folders) files[`control/folders/${id}`] = folder;
  for (const { id } of tasks) {
    // Some outlive the start of the next orchestrator: what they do then would show if they were not ended.
    const hundredths = random.chance(0.25) ? 30 + random.below(90) : random.below(12);
    files[`control/durations/${id}`] = (hundredths / 100).toFixed(2);
  }
  return { files, tasks, places: new Map(Array.from(folders, ([id, folder]) => [id, `${folder}/${id}`])) };
}

export function makeRunnable(project: string): void {
  chmodSync(join(project, 'worker.sh'), 0o755);
}

export interface Trace {
  readonly what: 'start' | 'done' | 'overlap';
  readonly task: string;
  readonly delegation: string;
}

export function journalOf(project: string): Trace[] {
  const lines = readFileSync(join(project, '../control/journal'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const [what, task, delegation] = line.split(' ');
    return { what, task, delegation } as Trace;
  });
}

/** Whether all of the return had been written, and no orchestrator saw it fail. */
export function hadReturned(project: string, run: string, delegation: string): boolean {
  const file = join(stateFolder(project), 'runs', run, 'returns', `${delegation}.txt`);
  if (!existsSync(file) || existsSync(`${file}.unreturned`)) return false;
  return /The end\.\n$|^(?:LOW|HIGH)\|.*\n$/.test(readFileSync(file, 'utf8'));
}
