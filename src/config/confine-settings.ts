/** The `confine` settings: how far programs in rooms may reach. The user decides; a project may only ask for more confinement. */
import * as z from 'zod/mini';

export const confineModes = ['off', 'files', 'files+network'] as const;
export type ConfineMode = (typeof confineModes)[number];

const howPath = 'an absolute path, or one that begins with ~/';
const paths = z._default(z.array(z.string(howPath).check(z.regex(/^(?:\/|~\/|~$)/, howPath)), 'a list of paths'), []);
const howHost = 'a host such as registry.example.org, or *.example.org';
const hosts = z._default(
  z.array(
    z.string(howHost).check(z.regex(/^(?:\*\.)?[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*(?::\d{1,5})?$/, howHost)),
    'a list of hosts',
  ),
  [],
);

export const userConfine = z.strictObject({
  /** `files` where the machine can confine programs, else none. */
  mode: z.optional(z.enum(confineModes)),
  /** Files and folders that programs in rooms may change. */
  writable: paths,
  /** What they see although it is usually hidden. */
  visible: paths,
  /** Hosts that they reach in the mode `files+network`, besides those of their own vendor. */
  hosts,
});
export type UserConfine = z.infer<typeof userConfine>;

const usersOwn = 'no project can set it; it belongs in your own config, ~/.config/divisi/config.yaml';

/** Of `.divisi/config.yaml`, which comes with a clone. */
export const projectConfine = z
  .strictObject({
    mode: z.optional(z.enum(confineModes)),
    writable: z.optional(z.unknown()),
    visible: z.optional(z.unknown()),
    hosts,
  })
  .check(({ value, issues }) => {
    for (const key of ['writable', 'visible'] as const) {
      if (value[key] !== undefined) issues.push({ code: 'custom', path: [key], message: usersOwn, input: value[key] });
    }
    if (value.mode === 'off') issues.push({ code: 'custom', path: ['mode'], message: usersOwn, input: value.mode });
  });
export type ProjectConfine = z.infer<typeof projectConfine>;

export interface ConfineSettings extends Omit<UserConfine, 'mode'> {
  readonly mode: ConfineMode;
  /** A person named it: without it nothing starts. */
  readonly isWanted: boolean;
}

/** The stricter mode of both. Hosts of a project count where the user left the network open. */
export function strictest(user: UserConfine | undefined, project: ProjectConfine | undefined): ConfineSettings {
  const own = user?.mode ?? 'files';
  const asked = project?.mode ?? 'off';
  const mode = confineModes.indexOf(asked) > confineModes.indexOf(own) ? asked : own;
  const { writable = [], visible = [], hosts = [] } = user ?? {};
  const isWanted = mode !== 'off' && (user?.mode === mode || asked === mode);
  return {
    mode,
    isWanted,
    writable,
    visible,
    hosts: own === 'files+network' ? hosts : [...hosts, ...(project?.hosts ?? [])],
  };
}
