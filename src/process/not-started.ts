/** Why a program could not be started, in words. The system gives the same code for several causes: they are told apart here. */
import { statSync } from 'node:fs';
import { messageOf, systemCode } from '../base/error.ts';

export function notStarted(
  spec: { readonly argv: readonly string[]; readonly directory: string },
  error: unknown,
): string {
  const [program = ''] = spec.argv;
  if (program === '') return 'no program was named';
  const directory = directoryFault(spec.directory);
  if (directory) return directory;
  const code = systemCode(error);
  const path = error instanceof Error && 'path' in error ? String(error.path) : program;
  if (path !== program) return `${path} cannot be used: ${String(code)}`;
  switch (code ?? '') {
    case 'ENOENT':
      return program.includes('/')
        ? `${program} is not there, or names an interpreter that is not`
        : `${program} was not found on the PATH`;
    case 'EACCES':
      // For a bare name, one folder of the PATH that may not be looked into is enough to get this.
      return program.includes('/')
        ? `${program} may not be executed by this user`
        : `${program} was not found on the PATH, or may not be executed by this user`;
    case 'E2BIG':
      return `the arguments for ${program} are too long for the system`;
    default:
      return `${program} could not be started: ${messageOf(error).slice(0, 300)}`;
  }
}

function directoryFault(directory: string): string | null {
  try {
    return statSync(directory).isDirectory() ? null : `${directory} is not a folder to work in`;
  } catch {
    return `the folder to work in, ${directory}, is not there`;
  }
}
