import { expect, it } from 'vitest';
import { localEngine, type Perform } from '../../src/engine/local/local-engine.ts';
import { systemClock } from '../../src/engine/clock.ts';
import { engineStepConformance } from './engine-steps.ts';
import { engineConformance } from './engine.ts';

engineConformance('local', (perform) => {
  const engine = localEngine({ perform, clock: systemClock });
  return { engine, answer: (key, approved) => engine.deliver({ kind: 'answered', key, approved }) };
});

const nobody: Perform = async () => {
  throw new Error('nothing is performed here');
};

engineStepConformance('local', (performStep) => localEngine({ perform: nobody, performStep, clock: systemClock }));

it('an engine that takes no steps says so', async () => {
  const engine = localEngine({ perform: nobody, clock: systemClock });
  engine.step({ key: 'wave-1:check', purpose: 'check', gate: 'wave-1', wave: 1, commit: 'c', commands: [] });
  await expect(engine.race()).rejects.toThrow('this engine performs no steps: wave-1:check');
});
