/** Thirty-two hexadecimal digits that cannot be guessed. Read from the system: Node's crypto module takes 4 ms to load. */
import { closeSync, openSync, readSync } from 'node:fs';

const bytes = 16;

export function randomSecret(): string {
  return (fromSystem() ?? process.getBuiltinModule('node:crypto').randomBytes(bytes)).toString('hex');
}

/** Undefined where the system has no such file. */
function fromSystem(): Buffer | undefined {
  let descriptor: number;
  try {
    descriptor = openSync('/dev/urandom', 'r');
  } catch {
    return undefined;
  }
  try {
    const buffer = Buffer.alloc(bytes);
    return readSync(descriptor, buffer) === bytes ? buffer : undefined;
  } finally {
    closeSync(descriptor);
  }
}
