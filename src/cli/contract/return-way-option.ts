/** `--by WAY`: how the agent is asked to return. */
import { Option } from 'commander';
import { type ReturnWay, returnWays } from '../../contracts/return-way.ts';

export interface ByOption {
  readonly by?: ReturnWay;
}

export function byOption(): Option {
  return new Option('--by <way>', 'how the agent returns: its last words, the tool submit_result, a schema').choices(
    returnWays,
  );
}
