/** What `.divisi/config.yaml` may say, with the value of everything it leaves out. */
import * as z from 'zod/mini';
import { acpSettings, oneShotSettings } from './client-settings.ts';
import { commandLine, path, text, variable } from './config-words.ts';
import { wholeNumber } from './strict-yaml.ts';
import { taskCommandSettings } from './task-command-settings.ts';
import { workspaceSettings } from './workspace-settings.ts';

const commandSettings = z.strictObject({
  kind: z.literal('command'),
  argv: commandLine,
  /** Runs the agents that review; without it, `argv` does. */
  review: z.optional(commandLine),
  /** Asks the same agent for its return again; without it, a return that is refused stays refused. */
  repair: z.optional(commandLine),
  /** Variables of the user's environment that the command gets on top of the harmless ones. */
  environment: z._default(z.array(variable), []),
});

const scriptedSettings = z.strictObject({ kind: z.literal('scripted'), scenario: text });

const driverSettings = z.discriminatedUnion(
  'kind',
  [commandSettings, scriptedSettings, acpSettings, oneShotSettings],
  'kind is command, scripted, acp or one-shot',
);

export const featureExtras = ['code-simplifier', 'silent-failure-hunter', 'type-design-analyzer'] as const;

const driverName = z.string().check(z.regex(/^[a-z][a-z0-9-]*$/, 'a name is lower case with dashes'));

export const configSchema = z.strictObject({
  /** The driver of plans that name none. */
  driver: z.optional(text),
  concurrency: z._default(wholeNumber(1, 1000), 4),
  /** Seconds that running delegations get when the run is interrupted. */
  grace: z._default(wholeNumber(0, 3600), 10),
  drivers: z._default(z.record(driverName, driverSettings), {}),
  /** The drivers of tiers that have one of their own; a task that is escalated goes from one to the other. */
  tiers: z._default(z.strictObject({ fast: z.optional(text), standard: z.optional(text), deep: z.optional(text) }), {}),
  /** Seconds by class; which classes there are, and their maxima, is not the config's knowledge. */
  deadlines: z._default(z.record(z.string(), wholeNumber(1, 1_000_000)), {}),
  /** Whom the task commands are given to, where it is not as usual. */
  commands: z._default(taskCommandSettings, {}),
  /** Who looks at a phase of a feature between its review and the gate, in this order. */
  features: z.prefault(z.strictObject({ extras: z._default(z.array(z.enum(featureExtras)), []) }), {}),
  workspace: z.prefault(workspaceSettings, {}),
  /** The folder of TODO.md, state.json and what belongs to backlog tasks; without it, where the project has them. */
  specs: z.optional(path),
});

export type DriverSettings = z.infer<typeof driverSettings>;

export type Config = z.infer<typeof configSchema>;
