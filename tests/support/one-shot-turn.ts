/** A turn as a one-shot program is called for, and what its lines tell. */
import type { OneShot, OneShotTurn, Told } from '../../src/drivers/one-shot/one-shot.ts';
import { driverTask } from '../conformance/driver-task.ts';

export function oneShotTurn(own: Partial<OneShotTurn> = {}, task: Parameters<typeof driverTask>[1] = {}): OneShotTurn {
  return {
    task: driverTask('/home/me/project', {
      reportPath: '.divisi/reports/r.md',
      worklogPath: '.divisi/worklogs/w.jsonl',
      ...task,
    }),
    strength: {},
    prompt: 'Do it.',
    files: '/said/a.files',
    isReview: false,
    environment: {},
    ...own,
  };
}

export function toldBy({ reader }: OneShot, lines: readonly unknown[]): Told[] {
  const read = reader();
  return lines.flatMap((line) => read(line));
}

/** What follows this argument. */
export function after(args: readonly string[], name: string): string | undefined {
  const at = args.indexOf(name);
  return at === -1 ? undefined : args[at + 1];
}
