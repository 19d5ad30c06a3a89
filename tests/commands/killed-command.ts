/** Runs a command and kills itself as soon as an event is durable: `PROJECT COMMAND EVENT`. */
import type { RunEvent } from '../../src/core/event/event.ts';
import type { CommandName } from '../../src/routing/command-routing.ts';
import { runTaskCommand } from '../../src/runtime/runtime.ts';
import { trusted } from '../support/divisi.ts';

const [project = '', command = '', moment = ''] = process.argv.slice(2);

/** `stage.reached:validation`, `postflight.done:todo`, or the kind alone. */
function momentOf(event: RunEvent): string {
  if (event.kind === 'stage.reached') return `${event.kind}:${event.stage}`;
  return event.kind === 'postflight.done' ? `${event.kind}:${event.fact}` : event.kind;
}

await runTaskCommand(
  { command: command as CommandName, number: 12, prompt: '' },
  {
    project,
    environment: { ...process.env, ...trusted(project) },
    command: `divisi ${command}`,
    seen: (event) => {
      if (momentOf(event) === moment) process.kill(process.pid, 'SIGKILL');
    },
    warn: () => undefined,
  },
);
