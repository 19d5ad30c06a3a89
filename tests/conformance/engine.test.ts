import { localEngine } from '../../src/engine/local/local-engine.ts';
import { engineConformance } from './engine.ts';

engineConformance('local', (perform) => {
  const engine = localEngine({ perform });
  return { engine, answer: (key, approved) => engine.deliver({ kind: 'answered', key, approved }) };
});
