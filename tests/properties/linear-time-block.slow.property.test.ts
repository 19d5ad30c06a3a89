import { testLinearTime } from './test-linear-time.ts';

testLinearTime('block');
