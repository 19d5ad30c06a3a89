/**
 * Attendance: whether a person sits at the client. Hosts declare forms even where nobody sees them: some then answer by themselves (`codex exec`,
 * `copilot -p`), one ends itself (`goose run` without a terminal).
 */
import { closeSync, openSync } from 'node:fs';
import { objectOf } from '../base/json-value.ts';

export interface HostSigns {
  /** As the client names itself. */
  readonly client: string;
  /** `_meta` of the call. */
  readonly meta: unknown;
  /** Of the server, as the client started it. */
  readonly environment: NodeJS.ProcessEnv;
  readonly hasTerminal: () => boolean;
}

/** True on a positive sign that the client runs without a person. Not every headless host gives one. */
export function isUnattended({ client, meta, environment, hasTerminal }: HostSigns): boolean {
  switch (client) {
    case 'claude-code':
      return environment['CLAUDE_CODE_ENTRYPOINT']?.startsWith('sdk') === true;
    case 'codex-mcp-client':
      return objectOf(objectOf(meta)['x-codex-turn-metadata'])['turn_trigger'] === 'exec';
    case 'goose-cli':
      return !hasTerminal();
    default:
      return false;
  }
}

/** The server's standard streams are pipes, so only its session tells. */
export function hasControllingTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}

/** Milliseconds in which no person reads a form and declines it. */
const readingTime = 1000;

export interface FormTimes {
  readonly shown: (key: string) => void;
  /** The replies, where a decline that the host sent by itself is a form that was closed without a choice. */
  readonly byPeople: (replies: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
}

/** Of one connection. A reply that another server asked for has no time and counts as a person's. */
export function formTimes(now: () => number = () => performance.now()): FormTimes {
  const times = new Map<string, number>();
  const isAutomatic = (key: string, reply: unknown): boolean =>
    objectOf(reply)['action'] === 'decline' && now() - (times.get(key) ?? Number.NEGATIVE_INFINITY) < readingTime;
  return {
    shown: (key) => void times.set(key, now()),
    byPeople: (replies) =>
      Object.fromEntries(
        Object.entries(replies).map(([key, reply]) => [key, isAutomatic(key, reply) ? { action: 'cancel' } : reply]),
      ),
  };
}
