#!/usr/bin/env node
/**
 * The `divisi` command of the package: loads `hook.cjs` or `cli.cjs`, which `tools/bundle.ts` makes of `src/hooks` and `src/cli`.
 * A client starts it at every step of a conversation and a shell at every Tab; CommonJS starts fastest. An older Node cannot load
 * either of them, so this file has nothing that it cannot read.
 */

const isHook = process.argv[2] === 'hook';
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major * 1000 + minor < 22018) {
  process.stderr.write('divisi needs Node 22.18 or newer; this is ' + process.version + '\n');
  // Exit code 2 of a hook would make its client block every step.
  process.exitCode = isHook ? 1 : 2;
} else {
  module.exports = isHook ? require('./hook.cjs') : require('./cli.cjs');
}
