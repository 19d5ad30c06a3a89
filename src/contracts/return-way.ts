/** Return way: the channels through which an agent can return its result. */
import type { Contract } from './contract.ts';
import type { Fields } from './field.ts';
import { withReportText } from './report-text.ts';

/**
 * As its final message; by calling the tool `submit_result`, with the text of its report if it may not write files; constrained to a
 * schema by its client; or not at all: its exit code and its changes are all there is.
 */
export const returnWays = ['message', 'tool', 'schema', 'tool-report', 'exit-code'] as const;
export type ReturnWay = (typeof returnWays)[number];

/** What a command must give back: a return on standard output, or only its exit code. */
export const commandReturns = ['message', 'exit-code'] as const satisfies readonly ReturnWay[];
export type CommandReturns = (typeof commandReturns)[number];

/** The tool through which an agent submits its result, and the name of its MCP server. */
export const submitTool = { name: 'submit_result', server: 'divisi' } as const;

/** The same contract in the JSON wire format. */
export function asJson<F extends Fields>(contract: Contract<F>): Contract<F> {
  return { ...contract, wireFormat: 'json' };
}

/** The contract as an agent sees it that returns in this way: through a tool or a schema, a return is one JSON object. */
export function asReturned(contract: Contract, by: ReturnWay): Contract {
  switch (by) {
    case 'message':
      return contract;
    case 'tool-report':
      return asJson(withReportText(contract));
    case 'tool':
    case 'schema':
    case 'exit-code':
      return asJson(contract);
    default:
      return by satisfies never;
  }
}
