/** Programs in a folder of their own, to be put on a PATH: small shell scripts that are asked nothing but their version. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** `scripts` are the lines of each, by its name. */
export function fakePrograms(folder: string, scripts: Readonly<Record<string, string>>): string {
  mkdirSync(folder, { recursive: true });
  for (const [name, lines] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${lines}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}
