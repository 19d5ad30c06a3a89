/** The part of the config about where tasks work, and about what Divisi itself runs there. */
import * as z from 'zod/mini';
import { liesWithin } from '../base/paths.ts';
import { commandLine, path, variable } from './config-words.ts';
import { wholeNumber } from './strict-yaml.ts';

/** A worktree has these from Divisi and from git, and one of its own. */
const own = ['.git', '.divisi'];
const given = path.check(
  z.refine(
    (value) => value !== '.' && !own.some((one) => liesWithin(value, one)),
    `a path inside the project, other than ${own.join(' and ')}`,
  ),
);

const paths = <T extends z.ZodMiniType>(one: T): z.ZodMiniArray<T> => z.array(one, 'a list of paths');
const commands = z.array(commandLine, 'a list of commands, such as [[npm, ci]]');

export const workspaceSettings = z
  .strictObject({
    /** Commands for each new worktree, one after the other. */
    setup: z._default(commands, []),
    /** Paths of the user's checkout that each worktree gets: as a link, as a copy. */
    link: z._default(paths(given), []),
    copy: z._default(paths(given), []),
    /** What no task may touch. */
    forbidden: z._default(paths(path), []),
    /** Acceptance commands for every task. */
    accept: z._default(commands, []),
    /** Variables of the user's environment that these commands get on top of the harmless ones. */
    environment: z._default(z.array(variable, 'a list of variables'), []),
    /** Seconds for each of these commands. */
    timeout: z._default(wholeNumber(1, 86_400), 600),
  })
  .check(({ value, issues }) => {
    // Through a link, a copy would be written into the user's checkout.
    for (const [at, copied] of value.copy.entries()) {
      const linked = value.link.find((one) => liesWithin(copied, one) || liesWithin(one, copied));
      if (linked === undefined) continue;
      issues.push({ code: 'custom', path: ['copy', at], message: `${linked} is linked already`, input: copied });
    }
  });
