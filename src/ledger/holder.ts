/**
 * Holder: the process that holds a run's lease, with enough detail to check whether it is alive and to describe it to
 * a person.
 */

export interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Changes when the machine restarts. */
  readonly boot: string;
  /** The process's start time in the system's own format: a reused pid has another one. */
  readonly started: string;
  readonly command: string;
}

/**
 * Parses a stored holder; undefined if it is invalid. Checked by hand: hooks ask at every step, and a schema takes
 * longer to load.
 */
export function parseHolder(text: string): Holder | undefined {
  const found = JSON.parse(text) as Partial<Record<keyof Holder, unknown>> | null;
  const { pid, host, boot, started, command } = found ?? {};
  const isWhole = [host, boot, started, command].every((one) => typeof one === 'string') && Number.isInteger(pid);
  return isWhole ? ({ pid, host, boot, started, command } as Holder) : undefined;
}

export function isSameProcess(one: Holder, other: Holder): boolean {
  return one.pid === other.pid && one.host === other.host && one.boot === other.boot && one.started === other.started;
}

/** One line without control characters. */
export function describeHolder({ pid, host, command }: Holder): string {
  return `process ${pid} on ${plain(host, 100)} (${plain(command, 200)})`;
}

function plain(text: string, most: number): string {
  const cut = text.slice(0, most).replace(/\p{C}/gu, '?');
  return text.length > most ? `${cut}…` : cut;
}
