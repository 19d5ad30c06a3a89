/** The command line as the package starts it: nothing but this file comes before the compile cache. Not awaited at the top: CommonJS. */
import { keepCompiled } from '../process/keep-compiled.ts';

keepCompiled(process.env);
export const done: Promise<void> = import('./program.ts').then(({ runCommand }) => runCommand());
