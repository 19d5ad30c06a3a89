/** What the return of a workflow's agent must hold besides its contract: who it is, and whether its document can be used. */
import type { Violation } from '../contracts/finding.ts';
import type { Result } from '../contracts/result.ts';
import type { Activity } from './activity.ts';

/** `document` is the file that the return is about, where there is one. */
export type ReturnCheck = (result: Result, document: string | undefined) => readonly Violation[];

export function returnCheck({ workflow, registered }: Activity): ReturnCheck | undefined {
  if (workflow === undefined) return undefined;
  switch (workflow.kind) {
    case 'command':
      return (result) => isFrom(result, registered.agent);
    case 'architect':
    case 'features':
      return undefined;
    default:
      return workflow satisfies never;
  }
}

const plainName = (name: string): string => name.slice(name.lastIndexOf(':') + 1);

/** Another agent's return is not this one's, whatever it says. */
function isFrom({ metadata: { agent } }: Result, expected: string): Violation[] {
  if (agent === undefined || plainName(agent) === plainName(expected)) return [];
  return [{ code: 'agent-mismatch', path: 'metadata.agent_type', expected, got: agent.slice(0, 80) }];
}
