/** Verification: the facts about an attempt's work, with its claims checked against the diff, the disk and the commands. */
import * as z from 'zod/mini';
import { lazy } from '../../base/lazy.ts';

const count = lazy(() => z.int().check(z.nonnegative()));
const text = lazy(() => z.string());

/** `verified`: nothing to object. `degraded`: accepted, and worth a look. `rejected`: back to the agent, with the findings. */
export const verdicts = ['verified', 'degraded', 'rejected'] as const;
export type VerificationVerdict = (typeof verdicts)[number];

/** What can be objected to. `verify/findings.ts` says which of them reject the work. */
export const findingKinds = [
  'claimed-unchanged',
  'claimed-ignored',
  'changed-unclaimed',
  'deleted-unclaimed',
  'outside-scope',
  'forbidden',
  'own-files',
  'link-leads-out',
  'embedded-repository',
  'worktree-gone',
  'files-refused',
  'commit-gone',
  'files-gone',
  'files-changed',
  'artifact-missing',
  'artifact-empty',
  'artifact-outside',
  'artifact-ignored',
  'acceptance-failed',
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
] as const;
export type FindingKind = (typeof findingKinds)[number];

/** Claim and fact are for people and for the agent that tries next: one line each, redacted, cut. */
export const workFindingSchema = lazy(() =>
  z.strictObject({
    kind: z.enum(findingKinds),
    rejects: z.boolean(),
    /** What the agent said, where it said something. */
    claim: z.optional(text()),
    fact: text(),
    paths: z.array(text()),
  }),
);
export type WorkFinding = z.infer<ReturnType<typeof workFindingSchema>>;

/** A command that Divisi ran itself; its exit code is the truth. */
export const commandRunSchema = lazy(() =>
  z.strictObject({
    argv: z.array(text()),
    /** Who asks for it. */
    from: z.enum(['plan', 'config']),
    ok: z.boolean(),
    /** `exit code 1`, `timed out after 600 s`. */
    end: text(),
    milliseconds: count(),
    /** Where its output is, relative to the project; and its last lines where it failed. */
    output: z.optional(text()),
    tail: z.optional(text()),
  }),
);
export type CommandRun = z.infer<ReturnType<typeof commandRunSchema>>;

export const changeSchema = lazy(() =>
  z.strictObject({
    /** Relative to the project, with `/`. */
    path: text(),
    change: z.enum(['added', 'edited', 'deleted']),
    /** What it holds now; absent for a file that is gone. */
    blob: z.optional(text()),
  }),
);
export type Change = z.infer<ReturnType<typeof changeSchema>>;

export const verificationSchema = lazy(() =>
  z.strictObject({
    verdict: z.enum(verdicts),
    /** Where the attempt began, and the commit of what it left; absent where nothing has changed. */
    base: text(),
    commit: z.optional(text()),
    /** The real ones; a long list is cut and `changed` has their number. */
    changes: z.array(changeSchema()),
    changed: count(),
    linesAdded: count(),
    linesDeleted: count(),
    findings: z.array(workFindingSchema()),
    commands: z.array(commandRunSchema()),
    /** Of verifying, its commands included. */
    milliseconds: count(),
  }),
);
export type Verification = z.infer<ReturnType<typeof verificationSchema>>;

/** Where the work of a run lives, and by which rules: settled when the run begins, from the config and the checkout as they are then. */
export const workspaceSchema = lazy(() =>
  z.strictObject({
    /**
     * `git`: the project's own repository. `copy`: a private one, for a folder that is none. `checkout`: none of its own, a
     * conversation conducts the run and its agents share the user's checkout.
     */
    kind: z.enum(['git', 'copy', 'checkout']),
    /** The commit that the run begins at. */
    base: text(),
    /** The run's own, without `refs/heads/`. */
    branch: text(),
    /** Of the commits. */
    identity: z.strictObject({ name: text(), email: text() }),
    /** Changes in the user's checkout that are not part of the run. */
    uncommitted: count(),
    /** The project's place in the repository, with a `/` at the end; empty at its top. */
    prefix: text(),
    /** Commands for each new worktree. */
    setup: z.array(z.array(text())),
    /** Paths of the user's checkout that each worktree gets: as a link, as a copy. */
    link: z.array(text()),
    copy: z.array(text()),
    /** Acceptance commands for every task. */
    accept: z.array(z.array(text())),
    /** What no task may touch. */
    forbidden: z.array(text()),
    /** Variables of the user's environment that commands get on top of the harmless ones. */
    environment: z.array(text()),
    /** Seconds for one command. */
    timeout: count(),
  }),
);
export type WorkspaceFacts = z.infer<ReturnType<typeof workspaceSchema>>;

/** Where a delegation works. */
export const worktreeSchema = lazy(() =>
  z.strictObject({
    /** Relative to the project. */
    folder: text(),
    branch: text(),
    base: text(),
    /** The commit of an earlier attempt whose work it goes on with. */
    carried: z.optional(text()),
    /** The commit of what set-up did to the files, on top of what it found; absent where it left them as they were. */
    setUp: z.optional(text()),
  }),
);
export type WorktreeFacts = z.infer<ReturnType<typeof worktreeSchema>>;

/** One file that two tasks changed in ways that do not go together: what it is about, and how each side has it. */
export const conflictSchema = lazy(() => z.strictObject({ path: text(), why: text(), merged: text(), own: text() }));
export type Conflict = z.infer<ReturnType<typeof conflictSchema>>;

/** One line for each command, whatever its words are. */
export const lineOf = (argv: readonly string[]): string => JSON.stringify(argv);
