/** A project whose tasks are played by the scripted driver: no processes, any number of tasks. */
import type { Files } from '../support/temporary-folder.ts';

export interface ScriptedProject {
  readonly tasks: number;
  /** Those that never end. */
  readonly hang: readonly string[];
  /** Milliseconds that each of the others takes. */
  readonly after: number;
  readonly concurrency: number;
}

const returned = `|
        ---
        schema_version: 1.0.0
        run_id: {{run}}
        task_id: "{{task}}"
        status: done
        files_touched: []
        acceptance_check: [{ criterion: it is done, status: pass, evidence: "looked: done" }]
        notes_for_orchestrator: []
        worklog_path: {{worklog}}
        ---
        ## Summary
        Did {{task}}.
`;

export function scriptedFiles({ tasks, hang, after, concurrency }: ScriptedProject): Files {
  const ids = Array.from({ length: tasks }, (_, at) => `1.${at + 1}`);
  const rows = ids.map((id) => `| ${id} | Task ${id} | [ ] |`);
  const hanging = hang.map((id) => `  "${id}":\n    - turns: [{ hang: true }]\n`);
  return {
    '.divisi/config.yaml': `grace: 1\nconcurrency: ${concurrency}\n`,
    'scenario.yaml': `${hang.length === 0 ? '' : `tasks:\n${hanging.join('')}`}default:\n  - turns:\n    - after: ${after}\n      return: ${returned}`,
    'plan.md': [
      '# Plan: Scripted\n\n## Goal\nTo be seen.\n\n## Settings\n- Driver: scripted\n- Scenario: scenario.yaml\n',
      '## Wave 1: All\n\n| ID | Task | Status |\n|---|---|---|',
      ...rows,
      '',
    ].join('\n'),
  };
}
