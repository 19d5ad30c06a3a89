/** Registry: finds a contract by name, and the action for a result. */
import { codeReviewer, reviewPr, silentFailureHunter, typeDesignAnalyzer } from './built-in/feature-reviews.ts';
import { codeSimplifier, tddTaskExecutor, todoDocGenerator } from './built-in/feature-work.ts';
import { structuredReturn } from './built-in/structured-return.ts';
import { architect, taskReview, waveReview } from './built-in/verdicts.ts';
import { workerReport } from './built-in/worker-report.ts';
import { holds } from './condition.ts';
import type { Action, Contract } from './contract.ts';
import { fromEnvelope } from './read/envelope.ts';
import { divisiError } from '../base/error.ts';
import type { Result } from './result.ts';

export const builtInContracts: readonly Contract[] = [
  workerReport,
  structuredReturn,
  architect,
  waveReview,
  taskReview,
  todoDocGenerator,
  tddTaskExecutor,
  codeReviewer,
  codeSimplifier,
  silentFailureHunter,
  reviewPr,
  typeDesignAnalyzer,
];

export type Contracts = ReadonlyMap<string, Contract>;

/** A project's own contract replaces the built-in one of the same name. */
export function contractsByName(own: readonly Contract[] = []): Contracts {
  return new Map([...builtInContracts, ...own].map((contract) => [contract.name, contract]));
}

/** Ignores a plugin's prefix: `some-toolkit:code-reviewer` has the contract `code-reviewer`. */
export function findContract(contracts: Contracts, name: string): Contract {
  const contract = contracts.get(name) ?? contracts.get(name.slice(name.lastIndexOf(':') + 1));
  if (contract !== undefined) return contract;
  throw divisiError('CONTRACT_UNKNOWN', {
    message: `unknown contract ${name}`,
    expected: [...contracts.keys()].join(', '),
    got: name,
    next: 'Run `divisi contract list`, or add the contract to .divisi/contracts/.',
    ids: { contract: name },
  });
}

/** The orchestrator's response to a valid result. */
export function actionFor(contract: Contract, result: Result): Action {
  const values = fromEnvelope(contract, result);
  return contract.actions.find(({ when }) => holds(when, values))?.action ?? 'record';
}
