import { clientSuite } from './client-suite.ts';
import { overAcp } from './facts.ts';

overAcp.forEach(clientSuite);
