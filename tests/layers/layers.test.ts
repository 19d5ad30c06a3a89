import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importsOf } from './imports.ts';
import { checkLayers } from './layers.ts';

const root = join(import.meta.dirname, '../..');

function realTree(): Map<string, string> {
  const pattern = '{src,bench,examples,tools,tests,dashboard,plugin}/**/*.{ts,mts,cts,tsx,js,mjs,cjs,jsx}';
  const paths = [...globSync([pattern, '*.{ts,mts,js,mjs}'], { cwd: root, exclude: ['**/node_modules', '**/dist'] })];
  return new Map(paths.map((path) => [path.split(sep).join('/'), readFileSync(join(root, path), 'utf8')]));
}

const check = (files: Record<string, string>): string[] => checkLayers(new Map(Object.entries(files)));
const checkOne = (path: string, source: string): string[] => check({ [path]: source });

describe('the real tree', () => {
  it('keeps to its layers', () => {
    expect(checkLayers(realTree())).toEqual([]);
  });

  it('is really looked at', () => {
    const sources = [...realTree()].filter(([path]) => path.startsWith('src/'));
    const imports = sources
      .map(([path, source]) => importsOf(path, source))
      .filter(Array.isArray)
      .flat();
    expect(sources.length).toBeGreaterThan(0);
    expect(imports.filter((one) => one.specifier?.startsWith('.')).length).toBeGreaterThan(0);
  });
});

describe('what is allowed', () => {
  it.each([
    ['a row above', 'src/plan/a.ts', "import { b } from '../contracts/b.ts';"],
    ['the same folder', 'src/plan/a.ts', "import { b } from './deep/b.ts'; import { c } from '../plan/c.ts';"],
    ['another package', 'src/contracts/a.ts', "import * as z from 'zod/mini';"],
    ["a module of Node's below the pure rows", 'src/ledger/a.ts', "import { readFile } from 'node:fs/promises';"],
    ['the composition root from a front door', 'src/cli/a.ts', "await import('../runtime/b.ts');"],
    ['everything from the public API', 'src/index.ts', "export { a } from './cli/a.ts';"],
    ['test support from a test', 'src/plan/a.test.ts', "import { b } from '../../tests/support/b.ts';"],
    ['the file under test at the root', 'src/index.test.ts', "import { b } from './index.ts';"],
    ['the public API from an example', 'examples/a.ts', "import { b } from '../src/index.ts'; import './c.ts';"],
    ['a fresh copy of the public API from an example', 'examples/a.ts', "await import('../src/index.ts?fresh');"],
    ['the package by its name from an example', 'examples/x/a.ts', "import { b } from 'divisi';"],
    ['anything from tests', 'tests/e2e/a.ts', "import '../../src/engine/b.ts'; import(name);"],
    ['anything from tools', 'tools/a.ts', "import '../src/contracts/b.ts';"],
    [
      'a name that only looks like an import',
      'src/plan/a.ts',
      "// import '../cli/a.ts'\nconst b = \"require('../cli/a.ts')\";",
    ],
  ])('%s', (_what, path, source) => {
    expect(checkOne(path, source)).toEqual([]);
  });
});

describe('rows', () => {
  it('refuses a row below and says where', () => {
    expect(checkOne('src/plan/a.ts', "\nimport { b } from '../ledger/b.ts';")).toEqual([
      'src/plan/a.ts:2: plan may not import ledger: a row below',
    ]);
  });

  it('refuses another folder of the same row', () => {
    expect(checkOne('src/plan/a.ts', "import { b } from '../routing/b.ts';")).toEqual([
      'src/plan/a.ts:1: plan may not import routing: same row',
    ]);
  });

  it.each(['cli', 'mcp', 'http'])('refuses the scheduler to the front door %s, types included', (door) => {
    expect(checkOne(`src/${door}/a.ts`, "import type { B } from '../scheduler/b.ts';")).toEqual([
      `src/${door}/a.ts:1: ${door} may not import scheduler: it goes through runtime`,
    ]);
  });

  it('holds tests beside the source to the same rows', () => {
    expect(checkOne('src/plan/a.test.ts', "import { b } from '../cli/b.ts';")).toEqual([
      'src/plan/a.test.ts:1: plan may not import cli: a row below',
    ]);
  });

  it('refuses the public API inside of src, by path and by name', () => {
    expect(checkOne('src/cli/a.ts', "import '../index.ts';\nimport 'divisi';")).toEqual([
      'src/cli/a.ts:1: cli may not import index.ts: a row below',
      'src/cli/a.ts:2: cli may not import index.ts: a row below',
    ]);
  });

  it.each([
    ['a side effect', "import '../cli/b.ts';"],
    ['a type', "import type { B } from '../cli/b.ts';"],
    ['an inline type', "import { type B } from '../cli/b.ts';"],
    ['a re-export', "export { b } from '../cli/b.ts';"],
    ['a re-exported type', "export type { B } from '../cli/b.ts';"],
    ['a re-export of all', "export * from '../cli/b.ts';"],
    ['import()', "const b = await import('../cli/b.ts');"],
    ['import() of a template without holes', 'const b = await import(`../cli/b.ts`);'],
    ['import() in parentheses', "const b = await import(('../cli/b.ts'));"],
    ['import() of a fresh copy', "const b = await import('../cli/b.ts?fresh');"],
    ['require()', "const b = require('../cli/b.ts');"],
    ['import = require()', "import b = require('../cli/b.ts');"],
    ['a type in place', "type B = import('../cli/b.ts').B;"],
    ['the type of a module in place', "type B = typeof import('../cli/b.ts');"],
    ['a detour', "import '../contracts/../cli/b.ts';"],
  ])('sees %s', (_what, source) => {
    expect(checkOne('src/core/a.ts', source)).toEqual(['src/core/a.ts:1: core may not import cli: a row below']);
  });
});

describe('order inside core', () => {
  it('refuses a subfolder that comes later', () => {
    expect(checkOne('src/core/apply/a.ts', "import type { B } from '../decide/b.ts';")).toEqual([
      'src/core/apply/a.ts:1: core/apply may not import core/decide: it comes later',
    ]);
  });

  it('allows one that comes before, and those that have no place in the order', () => {
    const files = {
      'src/core/decide/a.ts': "import '../apply/b.ts'; import '../attempt/c.ts';",
      'src/core/apply/b.ts': "import '../event/d.ts'; import '../attempt/c.ts';",
    };
    expect(check(files)).toEqual([]);
  });
});

describe('cycles', () => {
  it.each([
    ['values', "import { b } from './b.ts';"],
    ['types', "import type { B } from './b.ts';"],
    ['a lazy import', "const b = () => import('./b.ts');"],
  ])('refuses one through %s', (_what, source) => {
    const files = { 'src/plan/a.ts': source, 'src/plan/b.ts': "import './c.ts';", 'src/plan/c.ts': "import './a.ts';" };
    expect(check(files)).toEqual(['import cycle: src/plan/a.ts, src/plan/b.ts, src/plan/c.ts']);
  });

  it('refuses a file that imports itself', () => {
    expect(checkOne('src/plan/a.ts', "import './a.ts';")).toEqual(['import cycle: src/plan/a.ts']);
  });

  it('names each group once, and nothing that only uses one', () => {
    const files = {
      'src/plan/a.ts': "import './b.ts';",
      'src/plan/b.ts': "import './a.ts';",
      'src/plan/c.ts': "import './d.ts';",
      'src/plan/d.ts': "import './c.ts'; import './a.ts';",
      'src/plan/e.ts': "import './a.ts';",
    };
    expect(check(files)).toEqual([
      'import cycle: src/plan/a.ts, src/plan/b.ts',
      'import cycle: src/plan/c.ts, src/plan/d.ts',
    ]);
  });
});

describe('folders', () => {
  const sources = (count: number): Record<string, string> =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`src/plan/read/a${at}.ts`, '']));

  it('refuses more than 25 source files in one', () => {
    expect(check(sources(26))).toEqual(['src/plan/read has 26 source files; at most 25']);
  });

  it('counts no tests and no subfolders', () => {
    expect(check({ ...sources(25), 'src/plan/read/a.test.ts': '', 'src/plan/read/deep/b.ts': '' })).toEqual([]);
  });
});

describe('names', () => {
  it.each([
    ['a folder', 'src/utils/a.ts', 'src/utils/a.ts: utils is not in the table of layers'],
    ['a root file', 'src/lib.ts', 'src/lib.ts: lib.ts is not in the table of layers'],
    ['the test of a root file', 'src/lib.test.ts', 'src/lib.test.ts: lib.ts is not in the table of layers'],
  ])('refuses %s that is not in the table', (_what, path, expected) => {
    expect(checkOne(path, '')).toEqual([expected]);
  });

  it('refuses the import of one as well', () => {
    expect(checkOne('src/cli/a.ts', "import '../utils/b.ts';")).toEqual([
      'src/cli/a.ts:1: imports src/utils/b.ts: utils is not in the table of layers',
    ]);
  });
});

describe('hooks', () => {
  it.each(['scheduler', 'engine', 'drivers'])('never import %s, not even a type', (name) => {
    expect(checkOne('src/hooks/a.ts', `import type { B } from '../${name}/b.ts';`)).toEqual([
      `src/hooks/a.ts:1: hooks may never import ${name}`,
    ]);
  });

  it('never load one of them through other files', () => {
    const files = {
      'src/hooks/a.ts': "import '../runtime/runtime.ts';",
      'src/runtime/runtime.ts': "import '../features/b.ts';",
      'src/features/b.ts': "import '../scheduler/c.ts';",
      'src/scheduler/c.ts': '',
    };
    expect(check(files)).toEqual([
      'src/hooks/a.ts: hooks may never load scheduler, here through src/runtime/runtime.ts → src/features/b.ts',
    ]);
  });

  it('may share types with what knows them, and reach it lazily', () => {
    const files = {
      'src/hooks/a.ts': "import type { R } from '../runtime/r.ts'; const r = () => import('../runtime/r.ts');",
      'src/runtime/r.ts': "import '../scheduler/c.ts';",
    };
    expect(check(files)).toEqual([]);
  });
});

describe('pure rows', () => {
  it.each([
    'base',
    'contracts',
    'plan',
    'delegation',
    'routing',
    'gates',
    'config',
    'agents',
    'core',
    'dialects',
    'views',
  ])("%s imports no module of Node's", (name) => {
    expect(checkOne(`src/${name}/a.ts`, "import { hash } from 'node:crypto';\nimport fs from 'fs';")).toEqual([
      `src/${name}/a.ts:1: ${name} is pure and may not import node:crypto`,
      `src/${name}/a.ts:2: ${name} is pure and may not import fs`,
    ]);
  });
});

describe('what cannot be followed', () => {
  it.each([
    ['import() of a variable', 'await import(name);', 'loads a module whose name is not a literal'],
    [
      'import() of a template with a hole',
      'await import(`../${name}.ts`);',
      'loads a module whose name is not a literal',
    ],
    ['require() of a variable', 'require(name);', 'loads a module whose name is not a literal'],
    ['an absolute path', "import '/a.ts';", 'cannot follow /a.ts'],
    ['a URL', "import 'file:///a.ts';", 'cannot follow file:///a.ts'],
    ['a subpath import', "import '#a';", 'cannot follow #a'],
  ])('refuses %s', (_what, source, expected) => {
    expect(checkOne('src/cli/a.ts', source)).toEqual([`src/cli/a.ts:1: ${expected}`]);
  });

  it('refuses a file that cannot be parsed', () => {
    expect(checkOne('src/cli/a.ts', 'import {')).toEqual([expect.stringContaining('src/cli/a.ts: cannot be parsed: ')]);
  });
});

describe('the border of src', () => {
  it.each([
    ['src to tests', 'src/plan/a.ts', '../../tests/support/b.ts', 'src may not import tests/support/b.ts'],
    ['src to tools', 'src/plan/a.ts', '../../tools/b.ts', 'src may not import tools/b.ts'],
    ['a test in src to bench', 'src/plan/a.test.ts', '../../bench/b.ts', 'src may not import bench/b.ts'],
    ['src to a test', 'src/plan/a.ts', './b.test.ts', 'may not load the test src/plan/b.test.ts'],
    [
      'an example to the inside',
      'examples/a.ts',
      '../src/plan/b.ts',
      'examples may import only src/index.ts, not src/plan/b.ts',
    ],
    [
      'an example to dist',
      'examples/a.ts',
      '../dist/index.js',
      'examples may import only src/index.ts, not dist/index.js',
    ],
    [
      'examples to tests',
      'examples/x/a.ts',
      '../../tests/b.ts',
      'examples may import only src/index.ts, not tests/b.ts',
    ],
    ['the dashboard to the API', 'dashboard/a.ts', '../src/index.ts', 'dashboard may not import src/index.ts'],
    ['a file at the root', 'vitest.config.ts', './src/index.ts', 'vitest.config.ts may not import src/index.ts'],
  ])('refuses %s', (_what, path, specifier, expected) => {
    expect(checkOne(path, `import '${specifier}';`)).toEqual([`${path}:1: ${expected}`]);
  });
});
