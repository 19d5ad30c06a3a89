import { testWorlds } from './worlds.ts';

testWorlds(4);
