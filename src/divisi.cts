#!/usr/bin/env node
/**
 * The `divisi` command of the package. A client starts it at every step of a conversation to run a hook, so nothing comes before
 * that: CommonJS starts fastest, and `hook.cjs` is all of `src/hooks` in one file (`tools/bundle-hook.ts`). Everything else is `src/cli`.
 */

module.exports = process.argv[2] === 'hook' ? require('./hook.cjs') : import('./cli/main.ts');
