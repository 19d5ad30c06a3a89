#!/usr/bin/env node
/** The `divisi` command from the sources: loads the hooks or the command line, never both. */

await(process.argv[2] === 'hook' ? import('../hooks/main.ts') : import('./start.ts')).then(({ done }) => done);
