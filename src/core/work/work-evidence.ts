/** Why work was refused, in the words that its next attempt and people get: claim against fact, one after the other. */
import { oneLine } from '../../base/text.ts';
import type { Verification } from '../event/verification.ts';

const mostEvidence = 2000;

export function evidenceOf({ findings }: Verification): string {
  const lines = findings
    .filter(({ rejects }) => rejects)
    .map(({ claim, fact }) =>
      claim === undefined ? oneLine(fact, 600) : `claimed: ${oneLine(claim, 300)}; found: ${oneLine(fact, 600)}`,
    );
  return lines.join(' · ').slice(0, mostEvidence);
}
