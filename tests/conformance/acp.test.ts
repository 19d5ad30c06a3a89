import { knownOverAcp, makeAcp } from './acp-agent.ts';
import { driverConformance } from './driver.ts';

driverConformance('acp', makeAcp, { known: knownOverAcp, canAlwaysAsk: true });
