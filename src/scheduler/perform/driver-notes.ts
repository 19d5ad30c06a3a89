/** What a driver notes while its agent is at work, as the run remembers it. What an agent says in it is redacted and cut. */
import { defined } from '../../base/defined.ts';
import { redactedLine } from '../../base/text.ts';
import type { DelegationId } from '../../base/ids.ts';
import type { DriverNote } from '../../drivers/driver.ts';
import type { Note } from '../../engine/engine.ts';

export function noted(delegation: DelegationId, said: DriverNote): Note {
  switch (said.kind) {
    case 'started':
      return { kind: 'delegation.started', delegation, ...defined({ pid: said.pid }) };
    case 'conversation':
      return { kind: 'conversation.opened', delegation, driver: said.driver, id: said.id };
    case 'permission': {
      const { asked, granted, why } = said;
      return {
        kind: 'permission.answered',
        delegation,
        asked: redactedLine(asked, 300),
        granted,
        why: redactedLine(why, 300),
      };
    }
    default:
      return said satisfies never;
  }
}
