/**
 * Starts the command line of the package. Enables the compile cache before it loads anything else. The bundle is CommonJS,
 * which has no top-level await: `done` is the end of the command.
 */
import { keepCompiled } from '../process/keep-compiled.ts';

keepCompiled(process.env);
export const done: Promise<void> = import('./program.ts').then(({ runCommandLine }) => runCommandLine());
