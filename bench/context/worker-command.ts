/** An agent that is a command: its prompt on standard input, its return of so many characters on standard output. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { workFor } from './worker.ts';

const { file, text, said } = workFor(readFileSync(0, 'utf8'), Number(process.argv[2]));
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, text);
process.stdout.write(said);
