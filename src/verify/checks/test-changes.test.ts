import { describe, expect, it } from 'vitest';
import { checkTests } from './test-changes.ts';
import type { ChangedLines, WorkChange } from '../work.ts';

interface File {
  readonly path: string;
  readonly change?: WorkChange['change'];
  readonly added?: readonly string[];
  readonly removed?: readonly string[];
}

function found(...files: readonly File[]): string[] {
  const changes = files.map(({ path, change = 'edited' }) => ({ path, change, mode: '100644' }));
  const lines: ChangedLines[] = files.map(({ path, added = [], removed = [] }) => ({
    path,
    added: added.map((text, at) => ({ line: at + 1, text })),
    removed,
  }));
  return checkTests(changes, lines).map(({ kind, paths }) => `${kind} ${paths.join(' ')}`);
}

describe('tests that are removed', () => {
  it.each<[path: string, line: string]>([
    ['src/a.test.ts', "  it('adds', () => {"],
    ['src/a.test.ts', "test.each([1])('adds', () => {"],
    ['src/a.spec.js', 'it.each`a | b`'],
    ['__tests__/a.js', 'test("adds", async () => {'],
    ['tests/test_a.py', 'def test_adds():'],
    ['tests/a.py', '    async def test_adds(self):'],
    ['a_test.go', 'func TestAdds(t *testing.T) {'],
    ['src/lib.rs', '    #[test]'],
    ['src/lib.rs', '    #[tokio::test]'],
    ['src/test/java/CartTest.java', '    @Test'],
    ['CartTests.cs', '    [Fact]'],
    ['CartTest.php', '    public function testAdds() {'],
    ['CartTests.swift', '    func testAdds() {'],
    ['spec/cart_spec.rb', "  it 'adds' do"],
    ['test/cart_test.exs', '  test "adds" do'],
    ['tests/cart.cpp', 'TEST_F(Cart, Adds) {'],
    ['test/a.bats', '@test "adds" {'],
  ])('%s: %s', (path, line) => {
    expect(found({ path, removed: [line] })).toEqual([`tests-removed ${path}`]);
    expect(found({ path, removed: [line], added: [line.replace(/adds/i, 'sums')] })).toEqual([]);
    expect(found({ path, removed: [line], change: 'deleted' })).toEqual([`tests-removed ${path}`]);
    expect(
      found(
        { path, removed: [line], change: 'deleted' },
        { path: `tests/other/${path}`, added: [line], change: 'added' },
      ),
    ).toEqual([]);
  });

  it.each<[what: string, isFound: boolean, ...files: File[]]>([
    ['a test file whose lines nobody knows', true, { path: 'a.test.ts', change: 'deleted' }],
    ['a helper among tests', false, { path: 'tests/support/a.ts', change: 'deleted' }],
    ['code', false, { path: 'src/a.ts', change: 'deleted', removed: ["it('adds')"] }],
    ['code that looks like one', false, { path: 'src/a.ts', removed: ["it('adds')"] }],
    ['moved unseen', false, { path: 'a.test.ts', change: 'deleted' }, { path: 'x/a.test.ts', change: 'added' }],
    [
      'rewritten beside',
      false,
      { path: 'a.test.ts', change: 'deleted', removed: ["it('a')"] },
      { path: 'b.test.ts', change: 'added', added: ["it('b')"] },
    ],
    [
      'two for one',
      true,
      { path: 'a.test.ts', change: 'deleted', removed: ["it('a')", "it('c')"] },
      { path: 'b.test.ts', change: 'added', added: ["it('b')"] },
    ],
    [
      'elsewhere',
      true,
      { path: 'a.test.ts', change: 'deleted', removed: ["it('a')"] },
      { path: 'x/b.test.ts', change: 'added', added: ["it('b')"] },
    ],
    ['one of two', true, { path: 'a.test.ts', removed: ["it('a')", "it('b')"], added: ["it('c')"] }],
    [
      'moved to another file',
      false,
      { path: 'a.test.ts', removed: ["it('a')"] },
      { path: 'b.test.ts', added: ["it('a')"] },
    ],
    [
      'moved to another file, with more',
      false,
      { path: 'a.test.ts', removed: ["it('adds', f)"] },
      { path: 'b.test.ts', added: ["it('adds', patient, f)"] },
    ],
    ['turned into a comment', true, { path: 'a.test.ts', removed: ["it('a')"], added: ["// it('a')"] }],
    ['more than before', false, { path: 'a.test.ts', removed: ["it('a')"], added: ["it('b')", "it('c')"] }],
  ])('%s: %j', (_what, isFound, ...files) => {
    expect(found(...files)).toEqual(isFound ? [`tests-removed ${files[0]?.path ?? ''}`] : []);
  });
});

it('says which are gone and which are fewer', () => {
  const changes: WorkChange[] = [
    { path: 'a.test.ts', change: 'deleted', mode: '' },
    { path: 'b.test.ts', change: 'edited', mode: '100644' },
  ];
  const fewer = [{ path: 'b.test.ts', added: [], removed: ["it('a')"] }];
  const facts = [checkTests(changes, fewer), checkTests(changes, []), checkTests(changes.slice(1), fewer)].flat();
  expect(facts.map(({ fact }) => fact)).toEqual([
    'tests were deleted: a.test.ts; fewer test cases than before in b.test.ts',
    'tests were deleted: a.test.ts',
    'fewer test cases than before in b.test.ts',
  ]);
});

describe('tests that are switched off', () => {
  it.each<[path: string, line: string]>([
    ['a.test.ts', "it.skip('adds', () => {"],
    ['a.test.ts', "  describe.only('cart', () => {"],
    ['a.test.ts', "test.todo('adds')"],
    ['a.test.ts', "test.concurrent.skip('adds')"],
    ['a.test.ts', "xit('adds', () => {"],
    ['a.test.ts', "xdescribe('adds', () => {"],
    ['a.test.ts', "fdescribe('adds', () => {"],
    ['a.test.ts', '    this.skip();'],
    ['a.test.ts', "test('adds', { skip: true }, () => {"],
    ['a.test.ts', "test('adds', { skip: 'later' }, () => {"],
    ['test_a.py', '@pytest.mark.skip(reason="later")'],
    ['test_a.py', '@pytest.mark.xfail'],
    ['test_a.py', '@pytest.mark.skipif(True, reason="later")'],
    ['test_a.py', '    pytest.skip("later")'],
    ['test_a.py', '    @unittest.skip("later")'],
    ['test_a.py', '        self.skipTest("later")'],
    ['a_test.go', '\tt.Skip("later")'],
    ['src/lib.rs', '    #[ignore]'],
    ['src/lib.rs', '    #[ignore = "later"]'],
    ['ATest.java', '    @Disabled("later")'],
    ['ATest.java', '    @Ignore'],
    ['ATests.cs', '    [Fact(Skip = "later")]'],
    ['ATest.php', '        $this->markTestSkipped("later");'],
    ['spec/a_spec.rb', "  xit 'adds' do"],
    ['spec/a_spec.rb', "    pending 'later'"],
    ['spec/a_spec.rb', "  it 'adds', :skip do"],
    ['test/a_test.exs', '  @tag :skip'],
    ['tests/a.cpp', 'TEST(Cart, DISABLED_Adds) {'],
  ])('%s: %s', (path, line) => {
    expect(found({ path, added: ['x', line] })).toEqual([`tests-skipped ${path}`]);
    // It was so before: written again, or moved.
    expect(found({ path, added: [`${line} `], removed: [line] })).toEqual([]);
    expect(found({ path, added: [`${line} // b`], removed: [`${line} // a`] })).toEqual([]);
  });

  it.each<[path: string, line: string]>([
    ['src/a.ts', 'list.skip(3)'],
    ['src/a.ts', "it.skip('adds')"],
    ['a.test.ts', 'stream.pipe(skip(1))'],
    ['a.test.ts', 'it.skipIf(isWindows)("adds")'],
    ['a.test.ts', '  skip(1),'],
    ['a.test.ts', "  todo: 'milk',"],
    ['a.test.ts', 'const query = "{ a @skip(if: true) }";'],
    ['test_a.py', '    fit(model)'],
    ['test_a.py', '@pytest.mark.skipif(sys.platform == "win32", reason="forks")'],
    ['test_a.py', '@unittest.skipUnless(hasattr(os, "kill"), "signals")'],
    ['a.test.ts', `const text = "it.skip('adds')";`],
    ['a.test.ts', "['@pytest.mark.skip', 'skip: true'],"],
    ['a.test.ts', "it('does not skip', () => {"],
  ])('is not %s: %s', (path, line) => {
    expect(found({ path, added: [line] })).toEqual([]);
  });

  it('says where', () => {
    const lines = [{ path: 'a.test.ts', added: [{ line: 7, text: "it.only('a', f)" }], removed: [] }];
    expect(checkTests([], lines)).toEqual([
      {
        kind: 'tests-skipped',
        rejects: false,
        fact: 'tests are skipped or focused at a.test.ts:7',
        paths: ['a.test.ts'],
      },
    ]);
  });
});
