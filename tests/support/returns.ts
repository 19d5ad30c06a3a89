/** Returns as agents write them: the example of each contract, one that deviates, one that was cut off. */
import { printValues } from '../../src/contracts/write/print.ts';
import { contractsByName, findContract } from '../../src/contracts/registry.ts';

const contracts = contractsByName();

export function exampleReturn(name: string): string {
  const contract = findContract(contracts, name);
  return printValues(contract, contract.example);
}

export const verdict = 'LOW|rename-helper|reviews/2.3.md';

const review = `approved: no
issues_total: 2 issues
critical: [Refunds can exceed the payment]
major: none
minor: [The name amount2 says nothing]
security: none
test_coverage: Needs Improvement
recommendation: block
`;

/** Valid, though not quite in the form that was asked for. */
export const deviatingReview = `Here is my review.\n\n---OUTPUT---\n${review}---END---\n`;

export const unterminatedReview = `Here is my review.\n\n---OUTPUT---\n${review}`;
