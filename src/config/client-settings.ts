/** Client settings: the schema of the config for agent programs. */
import * as z from 'zod/mini';
import { normalPath, pathFault } from '../base/paths.ts';

export const text = z.string().check(z.minLength(1, 'a word or a path'));

/** The words of a command line; never passed to a shell. */
export const argvSchema = z
  .array(text, 'a list of words, such as [node, worker.mjs]')
  .check(z.minLength(1, 'at least one word'));

/** An environment variable, or all with a prefix. */
export const variable = z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_]*\*?$/, 'a variable name, or a prefix and *'));

/** A file or a folder. */
export const path = z.string('a path inside the project').check(
  z.refine((value) => pathFault(value) === undefined, 'a path inside the project'),
  z.refine((value) => !/[*?[\]{}]/.test(value), 'a file or a folder, not a pattern'),
  z.overwrite((value) => (pathFault(value) === undefined ? normalPath(value) : value)),
);

/** A file, a folder, or a pattern of git, which has no braces. */
export const pathOrPattern = z.string('a path or a pattern inside the project').check(
  z.refine((value) => pathFault(value) === undefined, 'a path or a pattern inside the project'),
  z.refine((value) => !/[{}]/.test(value), 'a path or a pattern without braces: name each of them'),
  z.overwrite((value) => (pathFault(value) === undefined ? normalPath(value) : value)),
);

/** The programs Divisi knows. Each is a driver under its own name, without any config. */
export const programNames = ['claude', 'codex', 'gemini', 'opencode', 'goose', 'copilot'] as const;
export type ProgramName = (typeof programNames)[number];

/** Programs that can be started once per turn. */
export const oneShotNames = ['claude', 'codex', 'gemini', 'opencode'] as const satisfies readonly ProgramName[];
export type OneShotName = (typeof oneShotNames)[number];

/** The kinds of tool calls in ACP's permission requests. */
export const toolKinds = ['read', 'search', 'edit', 'delete', 'move', 'execute', 'fetch', 'think', 'other'] as const;
export type ToolKind = (typeof toolKinds)[number];

const strength = z.strictObject({ model: z.exactOptional(text), effort: z.exactOptional(text) });

const program = z.enum(programNames, `one of ${programNames.join(', ')}`);
export const flag = z.pipe(
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
  /** Variables of the user's environment passed to the program, besides the harmless ones and its profile's. */
  environment: z._default(z.array(variable, 'a list of variables'), []),
  /** Variables set for it, overriding the user's environment. */
  variables: z._default(z.record(variable, z.string()), {}),
  /** The home with its login and conversations: the user's, or one inside `.divisi`. */
  home: z._default(z.enum(['own', 'isolated'], 'own or isolated'), 'own'),
  tiers: z._default(
    z.strictObject({ fast: z.optional(strength), standard: z.optional(strength), deep: z.optional(strength) }),
    {},
  ),
};

export const acpSettings = z
  .strictObject({
    kind: z.literal('acp'),
    /** Absent for a program Divisi does not know. */
    profile: z.optional(program),
    argv: z.optional(argvSchema),
    ...common,
    /** The mode of its sessions. */
    mode: z.optional(text),
    /** The scope of the token counts it reports. */
    usage: z.optional(z.enum(['turn', 'last-call', 'none'], 'turn, last-call or none')),
    /** It can resume a conversation in another process. */
    resumes: z.optional(flag),
    /** Kinds that are allowed or refused regardless of paths; paths decide about all others. */
    permissions: z._default(z.partialRecord(kind, z.enum(['allow', 'refuse'], 'allow or refuse')), {}),
    /** Regular expressions for errors that report a limit, or that it cannot work at all. */
    quota: z._default(z.array(expression), []),
    trouble: z._default(z.array(expression), []),
  })
  .check(({ value, issues }) => {
    if (value.profile !== undefined || value.argv !== undefined) return;
    issues.push({ code: 'custom', path: [], message: 'needs a profile or an argv', input: value });
  });

export const oneShotSettings = z.strictObject({
  kind: z.literal('one-shot'),
  profile: z.enum(oneShotNames, `one of ${oneShotNames.join(', ')}`),
  /** The program with its leading arguments; defaults to its name on the PATH. */
  argv: z.optional(argvSchema),
  ...common,
});

export type AcpSettings = z.infer<typeof acpSettings>;
export type OneShotSettings = z.infer<typeof oneShotSettings>;
