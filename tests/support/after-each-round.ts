/** Calls back after each round of the loop, also after one that had nothing to commit. */
import type { CommitQueue } from '../../src/ledger/commit-queue.ts';

export function afterEachRound(commits: CommitQueue, then: () => void): CommitQueue {
  return {
    ...commits,
    begin: () => {
      const { record, commit } = commits.begin();
      return {
        record,
        commit: (consumed) => {
          commit(consumed);
          then();
        },
      };
    },
  };
}
