/** What `.tutti/config.yaml` may say, with the value of everything it leaves out. */
import * as z from 'zod/mini';
import { wholeNumber } from './strict-yaml.ts';

const text = z.string().check(z.minLength(1, 'a word or a path'));
const commandLine = z
  .array(text, 'a list of words, such as [node, worker.mjs]')
  .check(z.minLength(1, 'at least one word'));

/** A variable of the environment, or all that begin alike. */
const variable = z
  .string()
  .check(z.regex(/^[A-Za-z_][A-Za-z0-9_]*\*?$/, 'the name of a variable, or its beginning and *'));

const commandSettings = z.strictObject({
  kind: z.literal('command'),
  /** Words of a command line; never given to a shell. */
  argv: commandLine,
  /** Runs the agents that review; without it, `argv` does. */
  review: z.optional(commandLine),
  /** Asks the same agent for its return again; without it, a return that is refused stays refused. */
  repair: z.optional(commandLine),
  /** Variables of the user's environment that the command gets on top of the harmless ones. */
  environment: z._default(z.array(variable), []),
});

const scriptedSettings = z.strictObject({ kind: z.literal('scripted'), scenario: text });

const driverSettings = z.discriminatedUnion('kind', [commandSettings, scriptedSettings], 'kind is command or scripted');

const driverName = z.string().check(z.regex(/^[a-z][a-z0-9-]*$/, 'a name is lower case with dashes'));

export const configSchema = z.strictObject({
  /** The driver of plans that name none. */
  driver: z.optional(text),
  concurrency: z._default(wholeNumber(1, 1000), 4),
  /** Seconds that running delegations get when the run is interrupted. */
  grace: z._default(wholeNumber(0, 3600), 10),
  drivers: z._default(z.record(driverName, driverSettings), {}),
  /** Seconds by class; which classes there are, and their maxima, is not the config's knowledge. */
  deadlines: z._default(z.record(z.string(), wholeNumber(1, 1_000_000)), {}),
});

export type DriverSettings = z.infer<typeof driverSettings>;

export type Config = z.infer<typeof configSchema>;
