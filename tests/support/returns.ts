/** Returns as agents write them, in each wire format. */
import { contractsByName, findContract } from '../../src/contracts/registry.ts';
import { printValues } from '../../src/contracts/print.ts';

/** What an agent returns that does exactly as it is told. */
export function exampleReturn(contract: string): string {
  const found = findContract(contractsByName(), contract);
  return printValues(found, found.example);
}

export const verdict = 'LOW|rename-helper|reviews/2.3.md';

/** Accepted, with deviations: text around, a unit, a word for a flag. */
export const deviatingReview = `Here is my review.

---OUTPUT---
approved: no
issues_total: 1 issue
critical: [Refunds can exceed the payment]
major: none
minor: none
security: none
test_coverage: adequate
recommendation: block
---END---
Thank you!
`;

/** Complete in every field, but nobody knows whether it goes on. */
export const unterminatedReview = deviatingReview.slice(0, deviatingReview.indexOf('---END---'));
