/**
 * `node tools/bundle-hook.ts [DIR]`: makes `hook.cjs` of `src/hooks`, in `dist` unless told otherwise. What every hook needs is one
 * file; what is loaded when asked for is in files of its own. Every file that Node has to find, read and compile is paid for at each
 * step of a conversation. The licences of what is in it go beside it.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type OutputChunk, rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..');
const folder = resolve(process.argv[2] ?? join(root, 'dist'));

function packagesIn(chunks: readonly OutputChunk[]): string[] {
  const files = chunks.flatMap(({ modules }) => Object.keys(modules));
  const names = files.flatMap((file) => /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file)?.[1] ?? []);
  return [...new Set(names)].toSorted();
}

function licenceOf(name: string): string {
  const [file] = globSync('LICEN[CS]E*', { cwd: join(root, 'node_modules', name) });
  if (file === undefined) throw new Error(`${name} is in the bundle and has no licence file`);
  return `${name}\n\n${readFileSync(join(root, 'node_modules', name, file), 'utf8').trim()}\n`;
}

/**
 * What goes into one file, with everything it needs that is in none before it: a file costs more than a few lines too many. Each step
 * of a conversation reads the first, most read the second, and few the others.
 */
const groups = [
  { name: 'first', test: /hooks\/main\.ts$/ },
  { name: 'tools', test: /hooks\/events\/(?:pre|post)-tool-use\.ts$/ },
  {
    name: 'look',
    test: /hooks\/(?:agent-calls|agent-edited|agent-edits|events\/(?:delegation-over|session|user-prompt))\.ts$/,
  },
  { name: 'record', test: /hooks\/open-member\.ts$/ },
  { name: 'delegate', test: /hooks\/(?:take-missed|take-up|events\/(?:delegation|subagent-stop))\.ts$/ },
  { name: 'return', test: /conversation\/take-return\.ts$/ },
];

const bundle = await rolldown({
  input: { hook: join(root, 'src/hooks/main.ts') },
  cwd: root,
  platform: 'node',
  // What all of them need stays in the one file that is loaded in any case.
  preserveEntrySignatures: 'allow-extension',
  tsconfig: join(root, 'tsconfig.json'),
});
const { output } = await bundle.write({
  dir: folder,
  format: 'cjs',
  minify: true,
  // A text of one byte per character is read and compiled faster.
  charset: 'ascii',
  entryFileNames: '[name].cjs',
  chunkFileNames: 'hook-[name]-[hash].cjs',
  codeSplitting: { groups },
});
await bundle.close();

const chunks = output.filter((one) => one.type === 'chunk');
writeFileSync(join(folder, 'hook-licences.txt'), packagesIn(chunks).map(licenceOf).join('\n---\n\n'));
process.stdout.write(chunks.map(({ fileName, code }) => `${fileName}: ${code.length} characters\n`).join(''));
