/**
 * Prepares an update of a run: the commit that the user has checked out, or the folder as it is now, and the settings of the config.
 * Changes nothing in the run. Refuses a commit that conflicts with its work.
 */
import { defined } from '../base/defined.ts';
import { isDeepStrictEqual } from 'node:util';
import { divisiError } from '../base/error.ts';
import type { Config } from '../config/config.ts';
import type { UpdateRequest } from '../core/event/update.ts';
import type { RunState } from '../core/state/state.ts';
import { fileList } from '../views/run/update-text.ts';
import { changesBetween } from '../workspace/git/changes.ts';
import { configuredFacts } from '../workspace/git/configured-facts.ts';
import { checkedOut, isContained } from '../workspace/git/history.ts';
import { mergeTrees } from '../workspace/git/merge/merge-trees.ts';
import { conflictedFiles } from '../workspace/git/merge/merge-update.ts';
import { refuseUnsupported } from '../workspace/git/refuse-unsupported.ts';
import { uncommittedIn } from '../workspace/git/room/begin-workspace.ts';
import { commitFolder, makeStore } from '../workspace/git/room/copy-store.ts';
import { withRepositoryLock } from '../workspace/git/repository.ts';
import { runHead, type RunRepository } from './run-repository.ts';

export interface PreparedUpdate {
  readonly request: UpdateRequest;
  /** Files that the merge changes on the run's branch. */
  readonly files: readonly string[];
  /** The settings that change, by their names in the config. */
  readonly settings: readonly string[];
}

export async function prepareUpdate(
  at: RunRepository,
  state: RunState,
  { config, configOnly }: { readonly config: Config; readonly configOnly: boolean },
): Promise<PreparedUpdate> {
  const { repository, facts } = at;
  const head = await runHead(at, state);
  const commit = configOnly ? undefined : await newerCommit(at, state, head);
  const files = commit === undefined ? [] : await filesOfMerge(at, state, head, commit);
  const uncommitted = repository.kind === 'copy' ? 0 : await uncommittedIn(repository, [state.planFile]);
  const { kind, base, branch, identity, prefix } = facts;
  const configured = await configuredFacts(repository, commit ?? base, config.workspace);
  const workspace = { kind, base, branch, identity, prefix, uncommitted, ...configured };
  const isChanged = (key: string): boolean => !isDeepStrictEqual(valueOf(workspace, key), valueOf(facts, key));
  const keys = new Set([...Object.keys(configured), ...Object.keys(facts)]);
  const settings = [...keys].filter((key) => key !== 'uncommitted' && isChanged(key)).toSorted();
  return { request: { workspace, ...defined({ commit }) }, files, settings };
}

const valueOf = (facts: object, key: string): unknown => Object.entries(facts).find(([name]) => name === key)?.[1];

/** Undefined where the run's branch has it. */
async function newerCommit(at: RunRepository, state: RunState, head: string): Promise<string | undefined> {
  const { repository, facts } = at;
  if (repository.kind === 'copy') {
    await makeStore(repository);
    const message = `The folder as the update of ${state.created.run} found it`;
    const { base, identity } = facts;
    const now = await withRepositoryLock(repository, () =>
      commitFolder(repository, { parents: [base], message, identity, at: Date.now() }),
    );
    // Its marks are written by the run.
    const changes = (await changesBetween(repository, base, now)).filter(({ path }) => path !== state.planFile);
    return changes.length === 0 ? undefined : now;
  }
  const here = await checkedOut(repository);
  if (here === undefined) {
    throw divisiError('WORKSPACE_UNSUPPORTED', {
      message: 'the checkout has no commit to update the run from',
      next: 'Switch to a branch with commits; `--config-only` takes over the settings alone.',
    });
  }
  return (await isContained(repository, here.commit, head)) ? undefined : here.commit;
}

async function filesOfMerge(
  { repository }: RunRepository,
  { created: { run } }: RunState,
  head: string,
  commit: string,
): Promise<string[]> {
  await refuseUnsupported(repository);
  const merged = await mergeTrees(repository, head, commit);
  if (merged.kind === 'conflict') throw conflictError(run, commit, conflictedFiles(repository, merged.unsettled));
  return (await changesBetween(repository, head, merged.tree)).map(({ path }) => path);
}

export function conflictError(run: string, commit: string, files: readonly string[]): Error {
  return updateRefused(
    run,
    `${commit.slice(0, 10)} conflicts with its work in ${fileList(files)}`,
    `Nothing was changed. \`divisi diff ${run}\` shows its work; \`divisi update --config-only\` takes over the settings alone.`,
  );
}

export function updateRefused(run: string, why: string, next: string): Error {
  return divisiError('UPDATE_REFUSED', { message: `${run} was not updated: ${why}`, next, ids: { run } });
}
