/** The agent of the bench: writes one file and returns a report of a given length. */
import { join } from 'node:path';

export interface Work {
  /** Relative to the project. */
  readonly file: string;
  readonly text: string;
  /** The agent's last message. */
  readonly said: string;
}

const found = (pattern: RegExp, text: string): string => pattern.exec(text)?.[1] ?? '';

/** Words, since a tokenizer takes a run of one letter for next to nothing. */
export function prose(characters: number): string {
  const line =
    'The part was read, changed and tried again; what was found is said here, with its reason, in plain words.\n';
  return line.repeat(Math.ceil(characters / line.length)).slice(0, characters);
}

export const fileOf = (task: string): string => `src/part-${task}.txt`;

/** What a worker of ours returns, or one who reviews; exactly so long where it is a worker. */
export function workFor(told: string, characters: number): Work {
  const task = found(/# Your task: (\S+)/, told);
  if (!task.endsWith(':review')) {
    const file = fileOf(task);
    return { file, text: `part ${task}\n`, said: report(told, task, file).padEnd(characters, prose(characters)) };
  }
  const file = found(/(\.divisi\/runs\/\S+?\.md)/, told);
  return { file, text: '# Review\n\nNothing was found.\n', said: `LOW|go-on|${file}` };
}

function report(told: string, task: string, file: string): string {
  return `---
schema_version: 1.0.0
run_id: ${found(/\brun (run_\w+)/, told)}
task_id: "${task}"
status: done
files_touched:
  - resource: ${file}
    action: create
acceptance_check:
  - criterion: "C1: it is there"
    status: pass
    evidence: "cat ${file}"
notes_for_orchestrator: []
worklog_path: ${found(/worklog in (\S+),/, told)}
---
## Summary
Wrote ${file}.

## Details
`;
}

export const inProject = (project: string, { file }: Pick<Work, 'file'>): string => join(project, file);
