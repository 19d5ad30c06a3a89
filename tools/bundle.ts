/**
 * `node tools/bundle.ts [DIR]`: bundles the two programs of the package, `hook.cjs` (`src/hooks`) and `cli.cjs` (`src/cli`), into `dist` or DIR,
 * with the licences of the packages in them. Node finds, reads and compiles each file again at every start: one file for what every start
 * needs, one for each lazy part.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type OutputChunk, type Plugin, rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..');
const folder = resolve(process.argv[2] ?? join(root, 'dist'));

interface Group {
  readonly name: string;
  /** The modules of the group; what they import comes along, unless it is in a group before. */
  readonly test: RegExp;
}

interface Program {
  readonly name: string;
  readonly entry: string;
  readonly groups: readonly Group[];
}

/** Every step of a conversation reads `first`, most steps `tools`, few the others. */
const hook: Program = {
  name: 'hook',
  entry: 'src/hooks/main.ts',
  groups: [
    { name: 'first', test: /hooks\/main\.ts$/ },
    { name: 'tools', test: /hooks\/events\/(?:pre|post)-tool-use\.ts$/ },
    {
      name: 'look',
      test: /hooks\/(?:check-agent|check-agent-call|check-agent-edit|record-agent-edit|events\/(?:delegation-over|session|user-prompt|wake))\.ts$/,
    },
    { name: 'record', test: /hooks\/(?:open-member|conductor-presence)\.ts$/ },
    { name: 'delegate', test: /hooks\/(?:record-missed-return|catch-up|events\/(?:delegation|subagent-stop))\.ts$/ },
    { name: 'return', test: /conversation\/take-return\.ts$/ },
  ],
};

const cli: Program = {
  name: 'cli',
  entry: 'src/cli/start.ts',
  groups: [
    { name: 'first', test: /cli\/program\.ts$/ },
    { name: 'look', test: /cli\/(?:look\/(?:list|status|show)|completion\/completion-values)\.ts$/ },
    { name: 'tasks', test: /cli\/task\/(?:task|task-show|todo)\.ts$/ },
    { name: 'run', test: /src\/runtime\/runtime\.ts$/ },
  ],
};

/** Commander starts subcommands that are programs of their own; Divisi has none, and loading `node:child_process` takes 3 ms. */
const withoutChildProcess: Plugin = {
  name: 'commander-without-child-process',
  resolveId: (source, importer = '') =>
    source === 'node:child_process' && /[\\/]node_modules[\\/]commander[\\/]/.test(importer)
      ? '\0no-child-process'
      : null,
  load: (id) => (id === '\0no-child-process' ? 'export default {};' : null),
};

async function bundle({ name, entry, groups }: Program): Promise<OutputChunk[]> {
  const build = await rolldown({
    input: { [name]: join(root, entry) },
    cwd: root,
    platform: 'node',
    // Megabytes of data that the API needs as a package anyway.
    external: /^gpt-tokenizer/,
    // Shared code stays in the file that every start loads.
    preserveEntrySignatures: 'allow-extension',
    tsconfig: join(root, 'tsconfig.json'),
    plugins: [withoutChildProcess],
  });
  const { output } = await build.write({
    dir: folder,
    format: 'cjs',
    minify: true,
    // V8 reads and compiles one-byte text faster.
    charset: 'ascii',
    entryFileNames: '[name].cjs',
    chunkFileNames: `${name}-[name]-[hash].cjs`,
    codeSplitting: { groups: [...groups] },
  });
  await build.close();
  const chunks = output.filter((one) => one.type === 'chunk');
  const files = chunks.flatMap(({ modules }) => Object.keys(modules));
  const stale = groups.find(({ test }) => !files.some((file) => test.test(file)));
  if (stale !== undefined) throw new Error(`no module is in the group ${stale.name} of ${name}: was a file renamed?`);
  return chunks;
}

function packagesIn(chunks: readonly OutputChunk[]): string[] {
  const files = chunks.flatMap(({ modules }) => Object.keys(modules));
  const names = files.flatMap((file) => /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file)?.[1] ?? []);
  return [...new Set(names)].toSorted();
}

function licenceOf(name: string): string {
  const file = readdirSync(join(root, 'node_modules', name)).find((one) => /^licen[cs]e/i.test(one));
  if (file === undefined) throw new Error(`${name} is in a bundle and has no licence file`);
  return `${name}\n\n${readFileSync(join(root, 'node_modules', name, file), 'utf8').trim()}\n`;
}

const chunks = (await Promise.all([hook, cli].map(bundle))).flat();
writeFileSync(join(folder, 'licences.txt'), packagesIn(chunks).map(licenceOf).join('\n---\n\n'));
process.stdout.write(chunks.map(({ fileName, code }) => `${fileName}: ${code.length} characters\n`).join(''));
