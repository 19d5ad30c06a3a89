/** After any sequence of edits, commands and incomplete writes, task list and files agree, and no edit is lost. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { syncViews, writeState, writeTodo } from '../../src/commands/sync-views.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import type { FoundTask } from '../../src/todo/found-task.ts';
import type { ProjectTask } from '../../src/todo/project-task.ts';
import { editState, readState } from '../../src/todo/state-file.ts';
import { mayFollow, taskStatuses } from '../../src/todo/task-status.ts';
import { editTodo, readTodo } from '../../src/todo/todo-file.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { ledgerFile } from '../../src/workspace/places.ts';

const folder = temporaryFolders();

type Step =
  | { readonly kind: 'add' | 'sync' | 'todo' | 'state' }
  | { readonly kind: 'change'; readonly task: number; readonly status: number }
  | { readonly kind: 'archive'; readonly task: number }
  | { readonly kind: 'edit'; readonly task: number; readonly file: 'TODO.md' | 'state.json' };

const task = fc.nat(4);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('add' as const, 'sync' as const, 'todo' as const, 'state' as const) }),
  fc.record({ kind: fc.constant('change' as const), task, status: fc.nat(taskStatuses.length - 1) }),
  fc.record({ kind: fc.constant('archive' as const), task }),
  fc.record({
    kind: fc.constant('edit' as const),
    task,
    file: fc.constantFrom('TODO.md' as const, 'state.json' as const),
  }),
);

const facts = ({ number, title, status, effort }: FoundTask | ProjectTask): unknown => [number, title, status, effort];

it('sync', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const project = folder({ '.divisi/config.yaml': '' });
      const ledger = openLedger(ledgerFile(project));
      const { taskList } = ledger;
      const warnings: string[] = [];
      const warn = (what: string): number => warnings.push(what);
      const read = (name: string): string => readFileSync(join(project, name), 'utf8');
      /** What people wrote last, by task. */
      const edits = new Map<number, string>();
      for (let at = 0; at < 3; at += 1) taskList.add({ title: `First ${at}` }, { by: 'person' });
      await syncViews(project, ledger, warn);
      for (const [at, one] of steps.entries()) {
        const tasks = taskList.tasks();
        const chosen = 'task' in one ? tasks[one.task % Math.max(tasks.length, 1)] : undefined;
        switch (one.kind) {
          case 'add':
            taskList.add({ title: `Added ${at}` }, { by: 'person' });
            break;
          case 'sync':
            await syncViews(project, ledger, warn);
            break;
          case 'todo':
            await writeTodo(project, ledger, warn);
            break;
          case 'state':
            await writeState(project, ledger, warn);
            break;
          case 'change': {
            const status = taskStatuses[one.status] ?? 'blocked';
            if (chosen && mayFollow(chosen.status, status))
              taskList.change(chosen.number, { status }, { by: 'command' });
            break;
          }
          case 'archive':
            if (chosen && ['completed', 'abandoned', 'expanded'].includes(chosen.status)) {
              taskList.archive([chosen.number], { by: 'person' });
            }
            break;
          case 'edit': {
            const text = read(one.file);
            const { entries } = one.file === 'TODO.md' ? readTodo(text) : readState(text);
            const found = chosen && entries.get(chosen.number);
            if (chosen === undefined || found === undefined) break;
            // Only the effort: the rest of the entry may be behind the task list, and stays so.
            const effort = `${at} hours`;
            const put = [{ ...chosen, ...withoutExtras(found), effort }];
            writeFileSync(
              join(project, one.file),
              one.file === 'TODO.md'
                ? editTodo(text, { put, remove: [] })
                : editState(text, { put, remove: [], next: readState(text).next ?? 1 }),
            );
            edits.set(chosen.number, effort);
            // Skips conflicting edits of one field in files that were out of sync.
            await syncViews(project, ledger, warn);
            break;
          }
          default:
            one satisfies never;
        }
      }
      await syncViews(project, ledger, warn);
      const ours = taskList.tasks().map(facts);
      const sorted = (entries: ReadonlyMap<number, FoundTask>): unknown[] =>
        [...entries.values()].toSorted((a, b) => a.number - b.number).map(facts);
      expect(warnings).toEqual([]);
      expect(sorted(readTodo(read('TODO.md')).entries)).toEqual(ours);
      expect(sorted(readState(read('state.json')).entries)).toEqual(ours);
      for (const [number, effort] of edits) expect(taskList.task(number)?.effort).toBe(effort);
      expect((await syncViews(project, ledger, warn)).written).toEqual([]);
      ledger.close();
      rmSync(project, { recursive: true });
    }),
    { numRuns: 80 },
  );
});

/** What a file does not say stays as the task list has it. */
function withoutExtras({ slug: _slug, isTitleMade: _made, ...found }: FoundTask): Partial<ProjectTask> {
  return found;
}
