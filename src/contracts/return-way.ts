/** The ways in which an agent can give back its result, and what a contract is by a way other than words. */
import type { Contract } from './contract.ts';
import type { Fields } from './field.ts';

/** As its last words, by calling the tool `submit_result`, or held to a schema by its client. */
export const returnWays = ['message', 'tool', 'schema'] as const;
export type ReturnWay = (typeof returnWays)[number];

/** The tool by which an agent submits its result, and the server that its client knows it by. */
export const submitTool = { name: 'submit_result', server: 'divisi' } as const;

/** The same fields and rules, written as one JSON object. */
export function asJson<F extends Fields>(contract: Contract<F>): Contract<F> {
  return { ...contract, wireFormat: 'json' };
}
