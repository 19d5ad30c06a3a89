/** Whether programs can be confined on this machine; says so loudly where they cannot. */
import { findConfiner } from '../../src/process/confine/find-confiner.ts';

const confiner = await findConfiner(process.env);

export const canConfine = 'program' in confiner;

if ('missing' in confiner) console.warn(`SKIPPED: CONFINEMENT WAS NOT TESTED: ${confiner.missing}`);
