// Owns: which modules a source file names, however it names them. Knows nothing of layers.
import { parseSync, Visitor } from 'oxc-parser';

export type Import = {
  /** null when the argument of `import()` or `require()` is no literal: no one can tell then what is loaded. */
  specifier: string | null;
  line: number;
  /**
   * static: loaded together with the file; `import { type A }` is one, because verbatim modules keep it.
   * lazy: loaded when the line is reached. type: gone when the program runs.
   */
  kind: 'static' | 'lazy' | 'type';
};

type Node = { type: string; value?: unknown; quasis?: { value: { cooked: string | null } }[] };

/** Every import of the file, or the reason why it cannot be parsed. */
export function importsOf(path: string, source: string): Import[] | { unreadable: string } {
  const parsed = parseSync(path, source, { preserveParens: false });
  const broken = parsed.errors[0];
  if (broken) return { unreadable: broken.message };

  const found: Import[] = [];
  const add = (node: { start: number }, specifier: string | null, kind: Import['kind']): void => {
    found.push({ specifier, line: source.slice(0, node.start).split('\n').length, kind });
  };
  const declared = (kind: 'type' | 'value' | null | undefined): Import['kind'] => (kind === 'type' ? 'type' : 'static');

  new Visitor({
    ImportDeclaration(node) {
      add(node, node.source.value, declared(node.importKind));
    },
    ExportNamedDeclaration(node) {
      if (node.source) add(node, node.source.value, declared(node.exportKind));
    },
    ExportAllDeclaration(node) {
      add(node, node.source.value, declared(node.exportKind));
    },
    ImportExpression(node) {
      add(node, literalText(node.source), 'lazy');
    },
    CallExpression(node) {
      if (node.callee.type !== 'Identifier' || node.callee.name !== 'require') return;
      add(node, literalText(node.arguments[0]), 'lazy');
    },
    TSImportEqualsDeclaration(node) {
      if (node.moduleReference.type !== 'TSExternalModuleReference') return;
      add(node, node.moduleReference.expression.value, declared(node.importKind));
    },
    TSImportType(node) {
      add(node, node.source.value, 'type');
    },
  }).visit(parsed.program);
  return found;
}

/** The text of a string or of a template without holes. */
function literalText(node: Node | undefined): string | null {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'TemplateLiteral' && node.quasis?.length === 1) return node.quasis[0]?.value.cooked ?? null;
  return null;
}
