/** A turn as a one-shot program is called for, and what its lines tell. */
import type { OneShot, OneShotTurn } from '../../src/drivers/one-shot/one-shot.ts';
import { turnAccount, type TurnEntry } from '../../src/drivers/one-shot/turn-account.ts';
import { driverTask } from '../conformance/driver-task.ts';

export function oneShotTurn(own: Partial<OneShotTurn> = {}, task: Parameters<typeof driverTask>[1] = {}): OneShotTurn {
  return {
    task: driverTask('/home/me/project', {
      reportPath: '.divisi/reports/r.md',
      worklogPath: '.divisi/worklogs/w.jsonl',
      ...task,
    }),
    left: {},
    strength: {},
    prompt: 'Do it.',
    files: '/said/a.files',
    isReview: false,
    isConfined: false,
    environment: {},
    ...own,
  };
}

/** The entries a driver acts on. How a client itemises its usage is for `divisi logs`. */
export function turnEntries({ reader }: OneShot, lines: readonly unknown[]): TurnEntry[] {
  const account = turnAccount(reader());
  return lines
    .flatMap((line) => account.take(line))
    .map((entry) => (entry.kind === 'usage' ? { ...entry, text: '' } : entry));
}

/** What follows this argument. */
export function after(args: readonly string[], name: string): string | undefined {
  const at = args.indexOf(name);
  return at === -1 ? undefined : args[at + 1];
}
