/** Who holds the lease of a run: enough to find out whether that process still lives, and to tell a person about it. */
import * as z from 'zod/mini';
import { made } from '../contracts/made.ts';

export const holderSchema = made(() =>
  z.strictObject({
    pid: z.int(),
    host: z.string(),
    /** Differs after the machine was started again. */
    boot: z.string(),
    /** When the process began, in the system's own terms: a number that is used again belongs to another process. */
    started: z.string(),
    command: z.string(),
  }),
);
export type Holder = z.infer<ReturnType<typeof holderSchema>>;

export function isSameProcess(one: Holder, other: Holder): boolean {
  return one.pid === other.pid && one.host === other.host && one.boot === other.boot && one.started === other.started;
}

/** On one line, with nothing in it that could steer a terminal. */
export function describeHolder({ pid, host, command }: Holder): string {
  return `process ${pid} on ${plain(host, 100)} (${plain(command, 200)})`;
}

function plain(text: string, most: number): string {
  const cut = text.slice(0, most).replace(/\p{C}/gu, '?');
  return text.length > most ? `${cut}…` : cut;
}
