import { driverConformance } from './driver.ts';
import type { KnownUsage } from './known-usage.ts';
import { makeOneShot } from './one-shot-agents.ts';
import { dialects } from './one-shot-dialects.ts';

for (const [name, dialect] of Object.entries(dialects)) {
  // A process that is ended says nothing more, whatever ended it.
  const known: KnownUsage = (wished, end) => dialect.usage(wished, end === 'cancelled' ? 'cut-off' : end);
  driverConformance(`one-shot ${name}`, makeOneShot(name, dialect), { known });
}
