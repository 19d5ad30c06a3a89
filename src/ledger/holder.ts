/** Who holds the lease of a run: enough to find out whether that process still lives, and to tell a person about it. */

export interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Differs after the machine was started again. */
  readonly boot: string;
  /** When the process began, in the system's own terms: a number that is used again belongs to another process. */
  readonly started: string;
  readonly command: string;
}

/** As it is kept; undefined for what is none. Looked at by hand: hooks ask at every step, and a schema takes longer to load. */
export function parseHolder(text: string): Holder | undefined {
  const found = JSON.parse(text) as Partial<Record<keyof Holder, unknown>> | null;
  const { pid, host, boot, started, command } = found ?? {};
  const isWhole = [host, boot, started, command].every((one) => typeof one === 'string') && Number.isInteger(pid);
  return isWhole ? ({ pid, host, boot, started, command } as Holder) : undefined;
}

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
