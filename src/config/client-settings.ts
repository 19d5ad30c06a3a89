/** The part of the config about agent programs: how each is started, what it gets, and what a tier is in it. */
import * as z from 'zod/mini';
import { normalPath, pathFault } from '../base/paths.ts';

export const text = z.string().check(z.minLength(1, 'a word or a path'));

/** Words of a command line; never given to a shell. */
export const commandLine = z
  .array(text, 'a list of words, such as [node, worker.mjs]')
  .check(z.minLength(1, 'at least one word'));

/** A variable of the environment, or all that begin alike. */
export const variable = z
  .string()
  .check(z.regex(/^[A-Za-z_][A-Za-z0-9_]*\*?$/, 'the name of a variable, or its beginning and *'));

/** A file or a folder. */
export const path = z.string('a path inside the project').check(
  z.refine((value) => pathFault(value) === undefined, 'a path inside the project'),
  z.refine((value) => !/[*?[\]{}]/.test(value), 'a file or a folder, not a pattern'),
  z.overwrite((value) => (pathFault(value) === undefined ? normalPath(value) : value)),
);

/** The programs Divisi knows by itself. Each is a driver under its own name, without a word in the config. */
export const programNames = ['claude', 'codex', 'gemini', 'opencode', 'goose', 'copilot'] as const;
export type ProgramName = (typeof programNames)[number];

/** Those that can be started for one turn each. */
export const oneShotNames = ['claude', 'codex', 'gemini', 'opencode'] as const satisfies readonly ProgramName[];
export type OneShotName = (typeof oneShotNames)[number];

/** What a client asks permission for, as ACP sorts it. */
export const toolKinds = ['read', 'search', 'edit', 'delete', 'move', 'execute', 'fetch', 'think', 'other'] as const;
export type ToolKind = (typeof toolKinds)[number];

const strength = z.strictObject({ model: z.exactOptional(text), effort: z.exactOptional(text) });

const program = z.enum(programNames, `one of ${programNames.join(', ')}`);
const flag = z.pipe(
  z.enum(['true', 'false'], 'true or false'),
  z.transform((word) => word === 'true'),
);
const kind = z.enum(toolKinds, `one of ${toolKinds.join(', ')}`);
const expression = z.string().check(z.refine(isExpression, 'a regular expression'));

function isExpression(source: string): boolean {
  try {
    return source !== '' && new RegExp(source, 'iu') instanceof RegExp;
  } catch {
    return false;
  }
}

const common = {
  /** Variables of the user's environment that the program gets on top of the harmless ones and of its profile's. */
  environment: z._default(z.array(variable, 'a list of variables'), []),
  /** Variables that are set for it, whatever the user's environment says. */
  variables: z._default(z.record(variable, z.string()), {}),
  /** Where it keeps its log-in and its conversations: the user's home, or one inside `.divisi`. */
  home: z._default(z.enum(['own', 'isolated'], 'own or isolated'), 'own'),
  tiers: z._default(
    z.strictObject({ fast: z.optional(strength), standard: z.optional(strength), deep: z.optional(strength) }),
    {},
  ),
};

export const acpSettings = z
  .strictObject({
    kind: z.literal('acp'),
    /** What is known about the program; without one it is a program that nobody knows yet. */
    profile: z.optional(program),
    argv: z.optional(commandLine),
    ...common,
    /** The mode that its sessions are put into. */
    mode: z.optional(text),
    /** How far its account of tokens can be believed. */
    usage: z.optional(z.enum(['turn', 'last-call', 'none'], 'turn, last-call or none')),
    /** Whether it finds its conversations again in another process. */
    resumes: z.optional(flag),
    /** What is allowed or refused without a look at paths; what stands nowhere here is decided by where it would be done. */
    permissions: z._default(z.partialRecord(kind, z.enum(['allow', 'refuse'], 'allow or refuse')), {}),
    /** Regular expressions for the errors by which it says that a limit was met, or that it cannot work at all. */
    quota: z._default(z.array(expression), []),
    trouble: z._default(z.array(expression), []),
  })
  .check(({ value, issues }) => {
    if (value.profile !== undefined || value.argv !== undefined) return;
    issues.push({ code: 'custom', path: [], message: 'has a profile, or the argv of a program', input: value });
  });

export const oneShotSettings = z.strictObject({
  kind: z.literal('one-shot'),
  profile: z.enum(oneShotNames, `one of ${oneShotNames.join(', ')}`),
  /** The program with the words that come before all others, where it is not on the PATH under its own name. */
  argv: z.optional(commandLine),
  ...common,
});

export type AcpSettings = z.infer<typeof acpSettings>;
export type OneShotSettings = z.infer<typeof oneShotSettings>;
