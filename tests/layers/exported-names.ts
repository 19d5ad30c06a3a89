// Owns: which names the sources export. One name has one meaning: a reader who knows it from one file knows it in all of them.
import { parseSync } from 'oxc-parser';

/** The two entry points that `src/cli/main.ts` chooses between export the same name. */
const SHARED = new Map([['done', 'src/cli/start.ts and src/hooks/main.ts']]);

/** One line for each name that more than one file declares and exports; re-exports do not count. */
export function findTwins(files: ReadonlyMap<string, string>): string[] {
  const homes = new Map<string, string[]>();
  for (const [path, source] of files) {
    for (const name of exportsOf(path, source)) homes.set(name, [...(homes.get(name) ?? []), path]);
  }
  return [...homes]
    .map(([name, paths]) => [name, paths.toSorted().join(' and ')] as const)
    .filter(([name, paths]) => paths.includes(' and ') && SHARED.get(name) !== paths)
    .map(([name, paths]) => `${name} has two meanings: ${paths}`);
}

/** A name may be a value and its type at once. */
function exportsOf(path: string, source: string): Set<string> {
  const { program, errors } = parseSync(path, source);
  const [broken] = errors;
  if (broken !== undefined) throw new Error(`${path}: ${broken.message}`);
  return new Set(
    program.body.flatMap((node) => {
      if (node.type !== 'ExportNamedDeclaration' || node.source) return [];
      const { declaration, specifiers } = node;
      const listed = specifiers.map(({ exported }) => ('name' in exported ? exported.name : exported.value));
      if (!declaration) return listed;
      if (declaration.type === 'VariableDeclaration')
        return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []));
      return 'id' in declaration && declaration.id?.type === 'Identifier' ? [declaration.id.name] : [];
    }),
  );
}
