/** Collects the findings of a step for the agent that fixes them. */
import type { StructuredResult } from '../event/outcome.ts';

/** Fields that say what was found, besides those that count as notes by their contract. */
const findings = ['security', 'minor', 'warnings', 'recommendations'];
/** Words that stand for something to be mended, unless they are good. */
const states: Readonly<Record<string, readonly [what: string, good: string]>> = {
  test_coverage: ['test coverage', 'adequate'],
  test_status: ['tests', 'all-pass'],
};

/** Whoever sends work back may have nothing but small things against it: then those have to be mended. */
export function foundBy({ action, notes, fields }: StructuredResult): string[] {
  if (action !== 'fix') return [...notes];
  const more = findings.flatMap((name) => fields[name] ?? []).filter((found) => typeof found === 'string');
  const words = Object.entries(states).flatMap(([name, [what, good]]) => {
    const said = fields[name];
    return typeof said !== 'string' || said === good ? [] : [`${what}: ${said}`];
  });
  return [...new Set([...notes, ...more, ...words])];
}
