/** `divisi events`: prints the events of a run; with `--follow` until it ends or pauses. */
import { oneLine } from '../../base/text.ts';
import type { RecordedEvent } from '../../ledger/read-events.ts';
import { watchLedger } from '../../ledger/watch-ledger.ts';
import { readLedger } from '../../project/project-ledger.ts';
import { ledgerFile } from '../../workspace/places.ts';
import { livingHolder } from '../../project/with-lease.ts';
import { terminalJsonLine } from '../../views/text/escape.ts';
import { findRun } from '../../project/find-run.ts';
import { type Answer, exitCodes } from '../output.ts';

export interface EventsOptions {
  readonly json?: boolean;
  readonly follow?: boolean;
}

function line(event: RecordedEvent): string {
  const { seq, at, kind, version, ...facts } = event;
  const shown = oneLine(JSON.stringify(version === 1 ? facts : event), 200);
  return `${String(seq).padStart(5)}  ${new Date(at).toISOString()}  ${kind.padEnd(21)}  ${shown}`;
}

const ends = new Set(['run.paused', 'run.ended']);

export async function events(project: string, name: string | undefined, options: EventsOptions): Promise<Answer> {
  const ledger = readLedger(project);
  try {
    const { run } = findRun(ledger, name);
    let last = 0;
    let atRest = false;
    const show = (): void => {
      for (const event of ledger.read(run, last)) {
        last = event.seq;
        atRest = ends.has(event.kind) || (atRest && event.kind === 'plan.written');
        process.stdout.write(`${options.json === true ? terminalJsonLine({ run, ...event }) : line(event)}\n`);
      }
    };
    show();
    if (options.follow === true && !atRest) {
      await new Promise<void>((resolve) => {
        const watching = new AbortController();
        const look = (): void => {
          show();
          if (!atRest && livingHolder(ledger, run) !== null) return;
          clearInterval(heartbeat);
          watching.abort();
          resolve();
        };
        // A holder that dies changes nothing in the ledger.
        const heartbeat = setInterval(look, 1000);
        watchLedger(ledgerFile(project), look, watching.signal);
        look();
      });
    }
    return { code: exitCodes.completed, json: undefined, text: '' };
  } finally {
    ledger.close();
  }
}
