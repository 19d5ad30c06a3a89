import { clientSuite } from './client-suite.ts';
import { oneShots } from './facts.ts';

oneShots.forEach(clientSuite);
