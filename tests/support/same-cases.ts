/**
 * Properties see the same cases each time, so that what fails follows from the code and not from luck. `DIVISI_SEED=random`
 * looks for new ones; a number repeats those of an earlier run.
 */
import fc from 'fast-check';

const wanted = process.env['DIVISI_SEED'];
if (wanted !== 'random') fc.configureGlobal({ seed: wanted === undefined ? 5 : Number(wanted) });
