/** The lines of a plan are what a markdown parser takes them for, however small the pieces are in which it gets them. */
import * as fc from 'fast-check';
import type { RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTable } from 'micromark-extension-gfm-table';
import { describe, expect, it } from 'vitest';
import { fewerRuns } from '../../../tests/properties/runs.ts';
import { markdownLines } from './markdown-lines.ts';

/** Headings and the cells of tables at the top level, with their lines; items with theirs. */
function ours(text: string, pieceSize: number): string[] {
  return [...markdownLines(text, pieceSize)].flatMap((line) => {
    if (line.kind === 'heading') return [`${line.number}: h${line.level} ${text.slice(line.text.at, line.text.end)}`];
    if (line.kind === 'item') return [`${line.number}: item`];
    if (line.kind !== 'header' && line.kind !== 'row') return [];
    return [`${line.number}: ${line.cells.map(({ at, end }) => text.slice(at, end)).join(' ¦ ')}`];
  });
}

function theirs(text: string): string[] {
  const found: string[] = [];
  const source = (node: { position?: RootContent['position'] } | undefined, last = node): string =>
    text.slice(node?.position?.start.offset ?? 0, last?.position?.end.offset ?? 0);
  const walk = (nodes: readonly RootContent[], isTop: boolean): void => {
    for (const node of nodes) {
      const line = node.position?.start.line ?? 0;
      if (node.type === 'heading' && isTop)
        found.push(
          `${line}: h${node.depth} ${node.children.length === 0 ? '' : source(node.children[0], node.children.at(-1))}`,
        );
      else if (node.type === 'list') walk(node.children, false);
      else if (node.type === 'listItem') {
        found.push(`${line}: item`);
        walk(node.children, false);
      } else if (node.type === 'table' && isTop) {
        for (const row of node.children) {
          const cells = row.children.map((cell) =>
            cell.children.length === 0 ? '' : source(cell.children[0], cell.children.at(-1)),
          );
          found.push(`${row.position?.start.line}: ${cells.join(' ¦ ')}`);
        }
      }
    }
  };
  walk(fromMarkdown(text, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] }).children, true);
  return found;
}

const cellText = fc.constantFrom('a', '', '1 \\| 2', '`b`', '**c**', 'd e', '\\\\', '[ ]', '→');
const row = fc
  .tuple(fc.array(cellText, { minLength: 2, maxLength: 4 }), fc.constantFrom('', ' ', '  ', '\t'))
  .map(([cells, pad]) => `|${cells.map((cell) => pad + cell + pad).join('|')}|`);
const table = fc
  .array(row, { maxLength: 4 })
  .map((rows) => ['| h | i | j | k |', '|---|:-:|--:|---|', ...rows].join('\n'));
// prettier-ignore
const block = fc.constantFrom(
  '# A', '## B ##', '### C #d', '#no', '   ## D', '####### E', '##', 'text', 'text\nmore text', 'text\n    more', '- item', '- a\n  - b\n    - c\n- d', '- a\n\n  b\n\n      code\n\n  - c',
  '1. one\n2. two', '* a\n\n* b', '- [ ] box', '```\n# no\n- no\n```', '````\n```\n| a | b |\n|--|--|\n````', '~~~\n```', '```ts', '- a\n  ```\n  # no\n  ```\n- b', '- a\n  ```\n  # no', '- ```\n  - no\n  ```', '``` a`b',
  '<!-- c\n\n# no\n-->', '<!-- c -->', '<!-- open\n\n# no', '<pre>\n\n# no\n</pre>', 'p | q\n--|--\nr | s', '| only |', '| a | b |\n|---|', '| a | b |\n|---|---|\n# A', '| a | b |\n|---|---|\n- item', '    code\n    # no',
  '  text', '> quote\n> # no', '***', '- - -', 'Title\n===', '\tcode', '-\ttab', '1) one', '-no', '+ plus\n\n\n+ more', '- a\n # A', '- a\n## B',
);
/** A blank line stands between: without one, a table or list is read anyway, where markdown would take it for text. */
const text = fc.array(fc.oneof(block, table), { maxLength: 8 }).map((all) => all.join('\n\n'));

describe('markdownLines', () => {
  it('agrees with the parser of the ecosystem', () => {
    fc.assert(
      fc.property(text, (source) => {
        const expected = theirs(source);
        expect(ours(source, 1)).toEqual(expected);
        expect(ours(source, 100_000)).toEqual(expected);
      }),
      fewerRuns,
    );
  });
});
