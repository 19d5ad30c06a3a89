import { localEngine } from '../../src/engine/local/local-engine.ts';
import { systemClock } from '../../src/scheduler/system-clock.ts';
import { engineConformance } from './engine.ts';

engineConformance('local', (perform) => {
  const engine = localEngine({ perform, clock: systemClock });
  return { engine, answer: (key, approved) => engine.deliver({ kind: 'answered', key, approved }) };
});
