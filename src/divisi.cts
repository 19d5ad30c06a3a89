#!/usr/bin/env node
/**
 * The `divisi` command of the package: loads `hook.cjs` or `cli.cjs`, which `tools/bundle.ts` makes of `src/hooks` and `src/cli`.
 * A client starts it at every step of a conversation and a shell at every Tab; CommonJS starts fastest.
 */

module.exports = process.argv[2] === 'hook' ? require('./hook.cjs') : require('./cli.cjs');
