#!/usr/bin/env node
/** The `divisi` command. What the commands need is loaded only once it is known that no hook was meant: hooks must not wait for it. */

if (process.argv[2] === 'hook') await (await import('../hooks/main.ts')).done;
else await (await import('./program.ts')).runCommand();
