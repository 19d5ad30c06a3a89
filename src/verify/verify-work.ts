/**
 * Runs every check on an attempt's work: claims against the diff, scope, artifacts on disk, content of the changed
 * lines, then the acceptance commands. Commands take the most time, so they run only if no check has rejected the
 * work.
 *
 * Git data comes in as data or through `VerifyDeps`; commands run through `run`.
 */
import { defined } from '../base/defined.ts';
import { causeAt } from '../base/error-cause.ts';
import { foldersOf } from '../base/paths.ts';
import type { AcceptCommand } from '../core/decide/accept-commands.ts';
import { commandKey } from '../base/command-key.ts';
import type { CommandRun, VerificationVerdict, WorkFinding } from '../core/event/verification.ts';
import { commandLine } from '../plan/values/command-words.ts';
import { lookFor } from './checks/artifact-fault.ts';
import { checkArtifacts } from './checks/artifacts.ts';
import { checkClaims, foldersSaidGone, handedOut, unmet } from './checks/claims.ts';
import { checkCommandSources } from './checks/command-sources.ts';
import { checkEvidence } from './checks/evidence.ts';
import { finding, isFailure, rejectingFirst, verificationVerdict } from '../core/event/work-findings.ts';
import { checkLeftBehind } from './checks/left-behind.ts';
import { checkScope } from './checks/scope.ts';
import { checkSecrets } from './checks/secrets.ts';
import { checkSignals } from './checks/signals.ts';
import { checkSteering } from './checks/steering.ts';
import { type JudgedCheck, runCheck, type RunOnce } from './run-check.ts';
import { spelled } from './checks/spelled.ts';
import { checkTests } from './checks/test-changes.ts';
import type { ChangedLines, WorkClaims, WorkChange } from './work.ts';

export interface Work {
  /** Absolute: the folder the agent worked in. */
  readonly directory: string;
  /** The folder is a checkout of a commit in which no agent worked, so ignored files are not expected in it. */
  readonly isCheckout?: boolean;
  /** The agent's claims, and findings about its return: `claimsOf`, `copiesExample`. */
  readonly claims: WorkClaims;
  readonly aboutReturn: readonly WorkFinding[];
  readonly repairs: number;
  /** Absent when the driver does not know. */
  readonly toolCalls?: number | undefined;
  /** Whether the task should change files. */
  readonly expectsChanges: boolean;
  readonly changes: readonly WorkChange[];
  /**
   * Paths that set-up changed and the agent left alone: not part of the work, and a claim about them is neither
   * confirmed nor false.
   */
  readonly bySetUp?: readonly string[];
  readonly lines: readonly ChangedLines[];
  /** Path of a changed symlink → its target text. */
  readonly linkTargets?: ReadonlyMap<string, string>;
  readonly scope: readonly string[];
  readonly forbidden: readonly string[];
  /** Paths in Divisi's own folder that this task may write, besides its scope. */
  readonly extraWritablePaths?: readonly string[] | undefined;
  /** The hooks folder of the user's config, relative to the project; absent if it is not in the project. */
  readonly hooks?: string | undefined;
  /** The run's plan; absent if it is outside the project. */
  readonly planFile?: string | undefined;
  /** Assigned to the agent to write: report, worklog. */
  readonly ownPaths: readonly string[];
  readonly commands: readonly AcceptCommand[];
}

export interface VerifyDeps {
  /** Which of these paths git ignores, existing or not. */
  readonly ignored: (paths: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Which of these folders still contain files. */
  readonly kept: (folders: readonly string[]) => Promise<ReadonlySet<string>>;
  /** New path → old path of files with similar content. */
  readonly renames: () => Promise<ReadonlyMap<string, string>>;
  /** The content of a file before the work. */
  readonly before: (path: string) => Promise<string | undefined>;
  /** The content of a file as the agent left it. */
  readonly after: (path: string) => Promise<string | undefined>;
  /** Rejects when cancelled: the work is then not verified yet. */
  readonly run: RunOnce;
}

export interface Verified {
  readonly verdict: VerificationVerdict;
  readonly findings: WorkFinding[];
  readonly commands: CommandRun[];
  /** Programs and packages that commands miss here as at the base, by `commandKey`. */
  readonly missing: ReadonlyMap<string, string>;
}

export async function verifyWork(work: Work, deps: VerifyDeps): Promise<Verified> {
  const { claims } = work;
  const { linkTargets = new Map<string, string>() } = work;
  const findings = [
    ...checkScope({ ...work, linkTargets }),
    // Merged work was judged, and answered for, when its agent returned it.
    ...(work.isCheckout === true ? [] : await checkSteering({ ...work, ...deps })),
    ...(await checkFiles(work, claims, deps)),
    ...checkSecrets(work.lines),
    ...checkLeftBehind(work.lines),
    ...checkTests(work.changes, work.lines),
    ...(await checkCommandSources({ ...work, before: deps.before })),
    ...work.aboutReturn,
    ...(await checkEvidence({ ...work, texts: claims.evidence, ignored: deps.ignored })),
    ...checkSignals({ ...work, changed: work.changes.length }),
  ];
  const isRejected = verificationVerdict(findings) === 'rejected';
  const checks = isRejected ? [] : await runChecks(work, deps);
  const commands = checks.map(({ ran }) => ran);
  const aboutChecks = checks.flatMap((one) => one.findings);
  const all = rejectingFirst([...findings, ...commands.flatMap((one) => failed(one, claims)), ...aboutChecks]);
  const missing = checks.flatMap(({ ran, missing: part }) =>
    part === undefined ? [] : [[commandKey(ran.argv), part] as const],
  );
  return { verdict: verificationVerdict(all), findings: all, commands, missing: new Map(missing) };
}

/** Looks on disk only for claims that no change confirms. */
async function checkFiles(work: Work, claims: WorkClaims, deps: VerifyDeps): Promise<WorkFinding[]> {
  const given = { claims, changes: work.changes, ownPaths: work.ownPaths };
  const folders = foldersSaidGone(given);
  const kept = folders.length === 0 ? new Set<string>() : await deps.kept(folders);
  const hasRenames = claims.touched.some(({ action }) => action === 'rename');
  const renames = hasRenames ? await deps.renames() : new Map<string, string>();
  const ofSetUp = new Set((work.bySetUp ?? []).map(spelled).flatMap((path) => [path, ...foldersOf(path)]));
  const open = unmet(given, kept).filter(({ path }) => !ofSetUp.has(path));
  const paths = [...new Set(open.map(({ path }) => path))];
  const isHandedOut = handedOut(work.ownPaths);
  const artifacts = claims.artifacts.filter((path) => !isHandedOut(spelled(path)));
  const changed = new Set(work.changes.map(({ path }) => path));
  const asked = [...new Set([...paths, ...artifacts.filter((path) => !changed.has(path))])];
  const isIgnored = asked.length === 0 ? new Set<string>() : await deps.ignored(asked);
  const isLookedFor = (path: string): boolean => work.isCheckout !== true || !isIgnored.has(path);
  const places = await Promise.all(paths.map((path) => lookFor(work.directory, path)));
  const there = new Set(paths.filter((_, at) => places[at]?.found !== 'missing'));
  return [
    ...checkClaims({
      ...given,
      renames,
      open: open.filter(({ path }) => isLookedFor(path)),
      there,
      ignored: isIgnored,
    }),
    ...(await checkArtifacts({
      directory: work.directory,
      artifacts: artifacts.filter(isLookedFor),
      ignored: isIgnored,
    })),
  ];
}

async function runChecks({ commands }: Work, { run }: VerifyDeps): Promise<JudgedCheck[]> {
  const all: JudgedCheck[] = [];
  for (const command of commands) all.push(await runCheck(command, run));
  return all;
}

/** Evidence that mentions the command is the claim. */
function failed(ran: CommandRun, { evidence }: WorkClaims): WorkFinding[] {
  if (!isFailure(ran)) return [];
  const { argv, end, tail } = ran;
  const command = argv.join(' ');
  const claim = evidence.find((text) => text.includes(command));
  const last = tail === undefined ? '' : `; ${errorIn(tail)}`;
  return [
    finding('acceptance-failed', {
      ...defined({ claim }),
      fact: `${commandLine(argv)}: ${end}${last}`,
    }),
  ];
}

/** The line that names the cause, else the last one. */
function errorIn(tail: string): string {
  const lines = tail.split('\n');
  const cause = causeAt(lines);
  return cause === undefined ? `its last line: ${lines.at(-1) ?? ''}` : `its error: ${(lines[cause] ?? '').trim()}`;
}
