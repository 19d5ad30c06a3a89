/** Verification: the facts about an attempt's work, with its claims checked against the diff, the disk and the commands. */
import * as z from 'zod/mini';
import { lazy } from '../../base/lazy.ts';
import { commitSchema, ownBranchSchema } from './git-names.ts';

const count = lazy(() => z.int().check(z.nonnegative()));
const text = lazy(() => z.string());

/**
 * `verified`: no findings. `degraded`: accepted, but worth a look. `rejected`: back to the agent, with the findings.
 */
export const verdicts = ['verified', 'degraded', 'rejected'] as const;
export type VerificationVerdict = (typeof verdicts)[number];

/** Possible findings. `verify/findings.ts` decides which of them reject the work. */
export const findingKinds = [
  'claimed-unchanged',
  'claimed-ignored',
  'changed-unclaimed',
  'deleted-unclaimed',
  'outside-scope',
  'forbidden',
  'own-files',
  'steering',
  'steering-in-scope',
  'instructs-agents',
  'link-leads-out',
  'embedded-repository',
  'submodule-changed',
  'room-gone',
  'repository-changed',
  'files-refused',
  'commit-gone',
  'files-gone',
  'files-changed',
  'artifact-missing',
  'artifact-empty',
  'artifact-outside',
  'artifact-ignored',
  'acceptance-failed',
  'flaky',
  'outside-room',
  'criterion-unaccounted',
  'no-report',
  'command-changed',
  'repaired',
  'placeholder',
  'copied-example',
  'no-tools-used',
  'empty-diff',
  'evidence-unknown',
  'tests-removed',
  'tests-skipped',
  'conflict-markers',
  'secret',
  'secret-likely',
  'not-all-seen',
  'unattributed',
  'commands-not-run',
] as const;
export type FindingKind = (typeof findingKinds)[number];

/** Claim and fact are for people and for the next attempt: one line each, redacted and truncated. */
export const workFindingSchema = lazy(() =>
  z.strictObject({
    kind: z.enum(findingKinds),
    rejects: z.boolean(),
    /** The agent's statement, if there was one. */
    claim: z.optional(text()),
    fact: text(),
    paths: z.array(text()),
    /** Changed lines that a person has to see. */
    diff: z.optional(z.array(text())),
  }),
);
export type WorkFinding = z.infer<ReturnType<typeof workFindingSchema>>;

/** A command that Divisi ran itself; its exit code is the truth. */
export const commandRunSchema = lazy(() =>
  z.strictObject({
    argv: z.array(text()),
    /** Source of the command. */
    from: z.enum(['plan', 'config']),
    ok: z.boolean(),
    /** `exit code 1`, `timed out after 600 s`. */
    end: text(),
    milliseconds: count(),
    /** Path of its output, relative to the project; `tail` has the last lines of a failed command. */
    output: z.optional(text()),
    tail: z.optional(text()),
    /** `known-red`: it fails as it does at the base of the run. `flaky`: it failed, and passed when it was run once more. */
    note: z.optional(z.enum(['known-red', 'flaky'])),
  }),
);
export type CommandRun = z.infer<ReturnType<typeof commandRunSchema>>;

export const changeSchema = lazy(() =>
  z.strictObject({
    /** Relative to the project, with `/`. */
    path: text(),
    change: z.enum(['added', 'edited', 'deleted']),
    /** Hash of the new content; absent for a deleted file. */
    blob: z.optional(commitSchema()),
  }),
);
export type Change = z.infer<ReturnType<typeof changeSchema>>;

/** A change that nobody can be blamed for, and the tasks whose agents were at work. */
export interface Unattributed {
  readonly path: string;
  readonly tasks: readonly string[];
}

export const verificationSchema = lazy(() =>
  z.strictObject({
    verdict: z.enum(verdicts),
    /** The commit the attempt started from, and the commit of its work; the latter is absent if nothing changed. */
    base: commitSchema(),
    commit: z.optional(commitSchema()),
    /** The real changes; a long list is truncated, and `changed` has the full number. */
    changes: z.array(changeSchema()),
    changed: count(),
    linesAdded: count(),
    linesDeleted: count(),
    findings: z.array(workFindingSchema()),
    commands: z.array(commandRunSchema()),
    /** Why the work could not be judged, such as a command that cannot run here: for a person, not for the agent. */
    environment: z.optional(text()),
    /** Duration of the verification, including commands. */
    milliseconds: count(),
  }),
);
export type Verification = z.infer<ReturnType<typeof verificationSchema>>;

/** The workspace of a run and its rules, from the config and the checkout: fixed until a person updates the run. */
export const workspaceSchema = lazy(() =>
  z.strictObject({
    /**
     * `git`: the project's own repository. `copy`: a private repository, for a folder without one. `checkout`: none;
     * a conversation conducts the run and its agents share the user's checkout.
     */
    kind: z.enum(['git', 'copy', 'checkout']),
    /** The commit the run starts from. */
    base: commitSchema(),
    /** The run's branch, without `refs/heads/`. */
    branch: ownBranchSchema(),
    /** Author of the commits. */
    identity: z.strictObject({ name: text(), email: text() }),
    /** Whether the commit of each task is signed. */
    sign: z.optional(z.boolean()),
    /** Changes in the user's checkout that are not part of the run. */
    uncommitted: count(),
    /** Path of the project in the repository, ending in `/`; empty at the top. */
    prefix: text(),
    /** Commands for each new room. */
    setup: z.array(z.array(text())),
    /** The lock file that the commands were detected from; absent where the config names them. */
    setupFrom: z.optional(text()),
    /** Paths of the user's checkout that each room links or copies. */
    link: z.array(text()),
    copy: z.array(text()),
    /** How many of the copied paths `.worktreeinclude` names. */
    included: z.optional(count()),
    /** Patterns that match no file of the checkout. */
    unmatched: z.optional(z.array(text())),
    /** Acceptance commands for every task. */
    accept: z.array(z.array(text())),
    /** Paths no task may touch. */
    forbidden: z.array(text()),
    /** Commands for each room before it is removed. */
    teardown: z.optional(z.array(z.array(text()))),
    /** Names of the ports that each room gets for itself. */
    ports: z.optional(z.array(text())),
    /** Environment variables that commands get besides the harmless ones. */
    environment: z.array(text()),
    /** Free bytes below which nothing new starts; 0: no limit; absent: the default. */
    disk: z.optional(count()),
    /** The most bytes of one file, and of all changed files, of an attempt; 0: no limit; absent: the default. */
    size: z.optional(z.strictObject({ file: z.optional(count()), change: z.optional(count()) })),
    /** Seconds for one command. */
    timeout: count(),
    /** Acceptance commands that run side by side; absent: as many as the machine suggests. */
    checks: z.optional(z.int().check(z.positive())),
  }),
);
export type WorkspaceFacts = z.infer<ReturnType<typeof workspaceSchema>>;

/** The room of a delegation. */
export const roomSchema = lazy(() =>
  z.strictObject({
    /** Absolute: the top of the room. */
    folder: text(),
    branch: ownBranchSchema(),
    base: commitSchema(),
    /** The commit of an earlier attempt whose work it continues. */
    carried: z.optional(commitSchema()),
    /** The commit of the changes that set-up made; absent if it made none. */
    setUp: z.optional(commitSchema()),
    /** The number of updates the run had had when the room was made; absent: none. */
    updates: z.optional(count()),
  }),
);
export type RoomFacts = z.infer<ReturnType<typeof roomSchema>>;

/** A file that two tasks changed in conflicting ways, with the reason and both versions. */
export const conflictSchema = lazy(() => z.strictObject({ path: text(), why: text(), merged: text(), own: text() }));
export type Conflict = z.infer<ReturnType<typeof conflictSchema>>;
