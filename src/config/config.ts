/** Config: the schema of `.divisi/config.yaml`, with its defaults. */
import * as z from 'zod/mini';
import { wholeNumber } from './strict-yaml.ts';
import { liesWithin } from '../base/paths.ts';
import { commandReturns } from '../contracts/return-way.ts';
import { projectConfine } from './confine-settings.ts';
import { limitSettings } from './limit-settings.ts';
import {
  acpSettings,
  argvSchema,
  flag,
  oneShotSettings,
  path,
  pathOrPattern,
  text,
  variable,
} from './client-settings.ts';

/** Every room has its own. */
const own = ['.git', '.divisi'];
const given = pathOrPattern.check(
  z.refine(
    (value) => value !== '.' && !own.some((one) => liesWithin(value, one)),
    `a path inside the project, other than ${own.join(' and ')}`,
  ),
);

const paths = <T extends z.ZodMiniType>(one: T): z.ZodMiniArray<T> => z.array(one, 'a list of paths');
const commands = z.array(argvSchema, 'a list of commands, such as [[npm, ci]]');

const howBytes = 'a size such as 5 GiB, or a number of bytes; 0 for no limit';
const units = { '': 1, B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3, TiB: 1024 ** 4 };
const bytes = z.pipe(
  z.string(howBytes).check(z.regex(/^\d{1,15} ?(?:[KMGT]iB|B)?$/, howBytes)),
  z.transform((value) => Number.parseInt(value, 10) * units[value.replace(/^\d+ ?/, '') as keyof typeof units]),
);

const howPort = 'a lower-case name with dashes, such as web';
const portName = z.string(howPort).check(z.regex(/^[a-z][a-z0-9-]{0,30}$/, howPort));

export const workspaceSettings = z
  .strictObject({
    /** Commands run in each new room, in order; detected from the lock file by default. */
    setup: z.optional(commands),
    /** Paths and patterns of the user's checkout that are linked or copied into each room. */
    link: z._default(paths(given), []),
    copy: z._default(paths(given), []),
    /** Paths no task may change. */
    forbidden: z._default(paths(path), []),
    /** Acceptance commands for every task. */
    accept: z._default(commands, []),
    /** Commands run in each room before it is removed, in order. */
    teardown: z._default(commands, []),
    /** Names of ports that each room gets for itself: `web` is `DIVISI_PORT_WEB`. */
    ports: z._default(z.array(portName, 'a list of names, such as [web, db]'), []),
    /** Variables of the user's environment passed to these commands, besides the harmless ones. */
    environment: z._default(z.array(variable, 'a list of variables'), []),
    /** Free bytes on the disk with the rooms, below which nothing new starts; 0: no limit. Default: 2 GiB or 5 %. */
    disk: z.optional(bytes),
    /** Bytes of one file, and of all changed files, that an attempt may leave; 0: no limit. Default: 100 MiB and 1 GiB. */
    size: z.optional(z.strictObject({ file: z.optional(bytes), change: z.optional(bytes) })),
    /** Seconds for each of these commands. */
    timeout: z._default(wholeNumber(1, 86_400), 600),
    /** Whether the commit of each task is signed with the user's key. */
    sign: z._default(flag, false),
    /** Acceptance commands of a run that run side by side; half of the processors by default. */
    checks: z.optional(wholeNumber(1, 1000)),
  })
  .check(({ value, issues }) => {
    // A copy would be written through the link into the user's checkout.
    for (const [at, copied] of value.copy.entries()) {
      const linked = value.link.find((one) => liesWithin(copied, one) || liesWithin(one, copied));
      if (linked === undefined) continue;
      issues.push({ code: 'custom', path: ['copy', at], message: `${linked} is already linked`, input: copied });
    }
  });

const howAgent = 'an agent name';
const agent = z.string(howAgent).check(z.regex(/^(?:[\w.-]{1,64}:){0,3}\w[\w.-]{0,63}$/, howAgent));

const writtenCommand = z
  .strictObject({
    /** For every language. */
    agent: z.optional(agent),
    /** Or by language, with `default` for all others. */
    languages: z.optional(z.record(z.string(), agent, 'agents by language, such as { lean: lean-research-agent }')),
    default: z.optional(agent),
    /** Seconds, up to the maximum of the agent's class. */
    timeout: z.optional(wholeNumber(1, 86_400)),
  })
  .check(({ value, issues }) => {
    const refuse = (key: 'languages' | 'default', message: string): void => {
      if (value[key] !== undefined) issues.push({ code: 'custom', path: [key], message, input: value[key] });
    };
    if (value.agent === undefined) {
      if (value.default === undefined) refuse('languages', 'needs a default for all other languages');
      return;
    }
    refuse('languages', 'cannot be combined with agent');
    refuse('default', 'cannot be combined with agent');
  });

/** As routing data. Languages are case-insensitive. */
const command = z.pipe(
  writtenCommand,
  z.transform(({ agent: one, languages = {}, default: other, timeout }) => {
    const byLanguage = Object.fromEntries(Object.entries(languages).map(([name, its]) => [name.toLowerCase(), its]));
    const direct = one === undefined ? undefined : ({ languageBased: false, agent: one } as const);
    const chosen = other === undefined ? undefined : ({ languageBased: true, byLanguage, default: other } as const);
    return { routing: direct ?? chosen, timeout };
  }),
);

export const taskCommandSettings = z.strictObject({
  research: z.exactOptional(command),
  plan: z.exactOptional(command),
  implement: z.exactOptional(command),
  revise: z.exactOptional(command),
  review: z.exactOptional(command),
});

const commandSettings = z.strictObject({
  kind: z.literal('command'),
  argv: argvSchema,
  /** Runs the agents that review; defaults to `argv`. */
  review: z.optional(argvSchema),
  /** Asks the same agent to return again; without it, a refused return stays refused. */
  repair: z.optional(argvSchema),
  /**
   * `message`: its standard output must be a return. `exit-code`: exit code 0 is enough, and its changes are its claim. Without
   * it: a program without `repair` that changed files needs no return.
   */
  returns: z.optional(z.enum(commandReturns)),
  /** Variables of the user's environment passed to the command, besides the harmless ones. */
  environment: z._default(z.array(variable), []),
});

const scriptedSettings = z.strictObject({ kind: z.literal('scripted'), scenario: text });

const driverSettings = z.discriminatedUnion(
  'kind',
  [commandSettings, scriptedSettings, acpSettings, oneShotSettings],
  'expected the kind command, scripted, acp or one-shot',
);

export const featureExtras = ['code-simplifier', 'silent-failure-hunter', 'type-design-analyzer'] as const;

const agentName = z.string().check(z.regex(/^\w[\w.-]{0,63}$/, 'expected the name of an agent, without a prefix'));

const driverName = z.string().check(z.regex(/^[a-z][a-z0-9-]*$/, 'expected a lower-case name with dashes'));

export const configSchema = z.strictObject({
  /** The driver for plans without one. */
  driver: z.optional(text),
  concurrency: z._default(wholeNumber(1, 1000), 4),
  /** Seconds that running delegations have to finish when the run is interrupted. */
  grace: z._default(wholeNumber(0, 3600), 10),
  drivers: z._default(z.record(driverName, driverSettings), {}),
  /** Drivers by tier; an escalated task moves from one to the next. */
  tiers: z._default(z.strictObject({ fast: z.optional(text), standard: z.optional(text), deep: z.optional(text) }), {}),
  /** Seconds by class. The caller knows the classes and their maxima. */
  deadlines: z._default(z.record(z.string(), wholeNumber(1, 1_000_000)), {}),
  /** What one delegation may use, by tier: turns, tokens and cost, each a number or `off`. */
  limits: z.prefault(limitSettings, {}),
  /** The classes of agents, where they differ from what they do. The caller knows the classes. */
  classes: z._default(z.record(agentName, z.string()), {}),
  /** The agents of the task commands, where they differ from the defaults. */
  commands: z._default(taskCommandSettings, {}),
  /** The agents that inspect a phase of a feature between its review and the gate, in order. */
  features: z.prefault(z.strictObject({ extras: z._default(z.array(z.enum(featureExtras)), []) }), {}),
  workspace: z.prefault(workspaceSettings, {}),
  /** The folder of TODO.md, state.json and the files of backlog tasks; detected by default. */
  specs: z.optional(path),
  /** More confinement than the user's own config asks for. */
  confine: z.optional(projectConfine),
});

export type DriverSettings = z.infer<typeof driverSettings>;

export type Config = z.infer<typeof configSchema>;
