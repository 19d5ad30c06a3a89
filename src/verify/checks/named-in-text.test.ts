import { describe, expect, it } from 'vitest';
import { namedIn } from './named-in-text.ts';

describe('the files that a text names', () => {
  it.each<[text: string, ...files: string[]]>([
    ['vitest run src/cart/total.test.ts: 14 passed', 'src/cart/total.test.ts'],
    ['see `src/a.ts`, "lib/b.py" and (docs/c.md).', 'src/a.ts', 'lib/b.py', 'docs/c.md'],
    ['src/a.ts:12:5 and src/b.ts#L3-L9', 'src/a.ts', 'src/b.ts'],
    ['./scripts/check.sh passes', 'scripts/check.sh'],
    ['./gradlew test passes', 'gradlew'],
    ['total.test.ts has 3 cases', 'total.test.ts'],
    ['größe/maß.ts is there', 'größe/maß.ts'],
    ['--config=config/a.yaml', 'config/a.yaml'],
    ['packages/@scope/a/index.ts', 'packages/@scope/a/index.ts'],
    ['src/a.ts, src/a.ts', 'src/a.ts'],
    ['src/remove-item.ts', 'src/remove-item.ts'],
  ])('%j', (text, ...files) => {
    expect(namedIn(text).files).toEqual(files);
  });

  it.each([
    'and/or, input/output, TCP/IP, 14/14 passed',
    'version 1.2.3 of 2026/01/02, v2.0.js-less',
    'https://example.com/a/b.html and example.com/index.html',
    'src/**/*.ts and src/{a,b}.ts',
    'Node.js, Vue.js and ASP.NET',
    '/etc/hosts.yaml and ~/a.md and ../b.ts and C:\\a.ts',
    '@scope/pkg/index.js',
    'node:internal/a.js:12',
    'node_modules/a/index.js',
    '$HOME/a.ts, %s/a.ts',
    'there is no src/a.ts any more',
    'src/a.ts does not exist',
    "src/a.ts isn't there",
    'src/old.ts was removed',
    'the next step will be src/new.ts',
    'e.g. i.e. etc.',
    'src/cart and feature/login',
  ])('are none in %j', (text) => {
    expect(namedIn(text).files).toEqual([]);
  });

  it('are not more than anybody looks for', () => {
    const text = Array.from({ length: 100 }, (_, at) => `a${at}.ts`).join(' ');
    expect(namedIn(text).files).toHaveLength(20);
  });
});

describe('the scripts that a text names', () => {
  it.each<[text: string, ...scripts: string[]]>([
    ['npm run build: ok', 'build'],
    ['`npm run lint` and pnpm run test:unit, yarn run e2e', 'lint', 'test:unit', 'e2e'],
    ['npm run check.', 'check'],
    ['npm test: ok'],
    ['the npm run was green'],
    ['npm run passes'],
    ['cd packages/a && npm run build'],
    ['npm run build -w packages/a'],
    ['npm run build --workspace=a'],
    ['npm run build/all'],
  ])('%j', (text, ...scripts) => {
    expect(namedIn(text).scripts).toEqual(scripts);
  });
});
