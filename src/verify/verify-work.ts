/**
 * Everything that is found out about an attempt's work before it counts: claims against the diff, scope, artifacts on disk, what
 * the changed lines hold, and the commands. Commands run only where nothing has rejected the work before: their answer would
 * change nothing, and they are what costs time.
 *
 * What needs git comes in as data or as `ignored`; what runs a command comes in as `run`.
 */
import { defined } from '../base/defined.ts';
import { foldersOf } from '../base/paths.ts';
import type { CommandRun, VerificationVerdict, WorkFinding } from '../core/event/verification.ts';
import { commandLine } from '../plan/values/command-words.ts';
import { lookFor } from './checks/artifact-fault.ts';
import { checkArtifacts } from './checks/artifacts.ts';
import { checkClaims, foldersSaidGone, handedOut, unmet } from './checks/claims.ts';
import { checkCommandSources } from './checks/command-sources.ts';
import { checkEvidence } from './checks/evidence.ts';
import { finding, rejectingFirst, verdictOf } from '../core/work/work-findings.ts';
import { checkLeftBehind } from './checks/left-behind.ts';
import { linkTargetsIn } from './checks/link-targets.ts';
import { checkScope } from './checks/scope.ts';
import { checkSecrets } from './checks/secrets.ts';
import { checkSignals } from './checks/signals.ts';
import { spelled } from './checks/spelled.ts';
import { checkTests } from './checks/test-changes.ts';
import type { ChangedLines, Claims, WorkChange } from './work.ts';

export interface Work {
  /** Absolute: where the agent worked. */
  readonly directory: string;
  /** Nobody worked there: it has the files of a commit, and what git ignores is not looked for in it. */
  readonly isCheckout?: boolean;
  /** What the agent says, and what its return as such is worth: `claimsOf`, `copiesExample`. */
  readonly claims: Claims;
  readonly aboutReturn: readonly WorkFinding[];
  readonly repairs: number;
  /** Where the driver knows. */
  readonly toolCalls?: number | undefined;
  /** Whether the task is to change something at all. */
  readonly expectsChanges: boolean;
  readonly changes: readonly WorkChange[];
  /** Set-up did it and the agent left it: no change, and a claim of it is neither borne out nor false. */
  readonly bySetUp?: readonly string[];
  readonly lines: readonly ChangedLines[];
  /** Path of a changed link → the text of its target; read from the disk where it is absent. */
  readonly linkTargets?: ReadonlyMap<string, string> | undefined;
  readonly scope: readonly string[];
  readonly forbidden: readonly string[];
  /** The run's own plan; absent where it lies elsewhere. */
  readonly lent?: readonly string[] | undefined;
  readonly planFile?: string | undefined;
  /** Handed out to the agent to be written: report, worklog. */
  readonly ownPaths: readonly string[];
  readonly commands: readonly Pick<CommandRun, 'argv' | 'from'>[];
}

export interface VerifyDeps {
  /** Which of these paths git ignores, whether they are there or not. */
  readonly ignored: (paths: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Which of these folders the work still holds. */
  readonly kept: (folders: readonly string[]) => Promise<ReadonlySet<string>>;
  /** New path → old path, of files that hold about the same. */
  readonly renames: () => Promise<ReadonlyMap<string, string>>;
  /** What a file held before the work. */
  readonly before: (path: string) => Promise<string | undefined>;
  /** Rejects when it was cancelled: then the work is not verified yet. */
  readonly run: (argv: readonly string[]) => Promise<Omit<CommandRun, 'from'>>;
}

export interface Verified {
  readonly verdict: VerificationVerdict;
  readonly findings: WorkFinding[];
  readonly commands: CommandRun[];
}

export async function verifyWork(work: Work, deps: VerifyDeps): Promise<Verified> {
  const { claims } = work;
  const linkTargets = work.linkTargets ?? (await linkTargetsIn(work.directory, work.changes));
  const findings = [
    ...checkScope({ ...work, linkTargets }),
    ...(await checkFiles(work, claims, deps)),
    ...checkSecrets(work.lines),
    ...checkLeftBehind(work.lines),
    ...checkTests(work.changes, work.lines),
    ...(await checkCommandSources({ ...work, before: deps.before })),
    ...work.aboutReturn,
    ...(await checkEvidence({ ...work, texts: claims.evidence, ignored: deps.ignored })),
    ...checkSignals({ ...work, changed: work.changes.length }),
  ];
  const isRejected = verdictOf(findings) === 'rejected';
  const commands = isRejected ? [] : await runCommands(work, deps);
  const all = rejectingFirst([...findings, ...commands.flatMap((one) => failed(one, claims))]);
  return { verdict: verdictOf(all), findings: all, commands };
}

/** Only what no change bears out is looked for on disk. */
async function checkFiles(work: Work, claims: Claims, deps: VerifyDeps): Promise<WorkFinding[]> {
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

async function runCommands({ commands }: Work, { run }: VerifyDeps): Promise<CommandRun[]> {
  const ran: CommandRun[] = [];
  for (const { argv, from } of commands) ran.push({ ...(await run(argv)), from });
  return ran;
}

/** What was said of the very command is the claim. */
function failed({ argv, ok, end, tail }: CommandRun, { evidence }: Claims): WorkFinding[] {
  if (ok) return [];
  const command = argv.join(' ');
  const claim = evidence.find((text) => text.includes(command));
  const last = tail === undefined ? '' : `; its last line: ${tail.slice(tail.lastIndexOf('\n') + 1)}`;
  return [
    finding('acceptance-failed', {
      ...defined({ claim }),
      fact: `${commandLine(argv)}: ${end}${last}`,
    }),
  ];
}
