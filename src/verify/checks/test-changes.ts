/**
 * Detects tests that a change removes or disables: the shortest way to a green run. A test case is a line that begins
 * one in the common test runners. Moved or rewritten cases do not count as removed.
 */
import { posix } from 'node:path';
import type { WorkFinding } from '../../core/event/verification.ts';
import { isTestFile, isTestName } from './file-kinds.ts';
import { finding, findingAt, shortList, type Place } from '../../core/event/work-findings.ts';
import { movedLines } from './moved-lines.ts';
import type { ChangedLines, WorkChange } from '../work.ts';

const mostOfLine = 300;

const caseStart = new RegExp(
  [
    String.raw`^\s*(?:await )?(?:it|test|specify|scenario|Deno\.test|t\.test)(?:\.[a-z]+)*\s?(?:\(|\x60|["'])`,
    String.raw`^\s*(?:async )?def test\w*\s?\(`,
    String.raw`^func (?:\(\w+ \*?\w+\) )?(?:Test|Benchmark|Fuzz|Example)\w*\(`,
    String.raw`^\s*#\[(?:\w+::)*(?:test|rstest|test_case)\b`,
    String.raw`^\s*@(?:Test|ParameterizedTest|RepeatedTest|Property)\b`,
    String.raw`^\s*\[(?:Fact|Theory|Test|TestCase|TestMethod|DataTestMethod)\b`,
    String.raw`^\s*(?:public |private |internal )?(?:async )?func(?:tion)? test\w*\s?\(`,
    String.raw`^\s*(?:TEST|TEST_F|TEST_P|TEST_CASE|SCENARIO|SECTION)\s?\(`,
    String.raw`^\s*@test\b`,
  ].join('|'),
);

/** A quoted occurrence belongs to a test of such code. */
const unquoted = String.raw`(?<!["'\x60]@?)`;
const switchedOff = new RegExp(
  [
    // vitest, jest, mocha, jasmine, node:test, Playwright
    String.raw`${unquoted}\b(?:it|test|describe|context|suite|specify|bench)(?:\.[a-z]+)?\.(?:skip|only|todo|fixme|failing|fails)\b`,
    String.raw`^\s*(?:xit|xtest|xdescribe|xcontext|xspecify|fit|fdescribe|fcontext)\s?\(?\s?["'\x60]`,
    String.raw`\b(?:this|t|ctx|context)\.(?:skip|todo)\(`,
    String.raw`${unquoted}\b(?:skip: ?(?:true\b|["'])|(?:only|todo): ?true\b)`,
    // pytest, unittest
    String.raw`${unquoted}\bpytest\.(?:mark\.)?(?:skip\b|xfail\b|skipif\(True)`,
    String.raw`^\s*@(?:unittest\.)?(?:skip\b|expectedFailure\b|skipIf\(True|skipUnless\(False)|\bself\.skipTest\(|\bunittest\.SkipTest\b`,
    // Go, Rust, C++
    String.raw`\b[tb]\.(?:Skip|Skipf|SkipNow)\(|^\s*#\[ignore\b|\bGTEST_SKIP\b|\bTEST\w*\([^)]{0,80}\bDISABLED_`,
    // JUnit, .NET, Swift, PHPUnit
    String.raw`^\s*@(?:Disabled|Ignore)\b|^\s*\[Ignore\b|\bSkip ?= ?"|\bXCTSkip\b|\bmarkTest(?:Skipped|Incomplete)\(`,
    // RSpec, ExUnit
    String.raw`^\s*(?:pending|skip)(?:$| ["']|\(["')])|, :(?:skip|pending)\b|^\s*@(?:module)?tag :?skip\b`,
  ].join('|'),
);

export function checkTests(changes: readonly WorkChange[], lines: readonly ChangedLines[]): WorkFinding[] {
  const tests = lines.filter(({ path }) => mayHoldTests(path)).map(countsOf);
  return [...checkRemoved(changes, tests), ...checkSkipped(lines)];
}

/** Rust keeps tests in the files they test. */
function mayHoldTests(path: string): boolean {
  return isTestFile(path) || path.endsWith('.rs');
}

interface Counts {
  readonly path: string;
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

function countsOf({ path, added, removed }: ChangedLines): Counts {
  return { path, added: cases(added.map(({ text }) => text)), removed: cases(removed) };
}

function cases(texts: readonly string[]): string[] {
  return texts
    .map((text) => text.slice(0, mostOfLine))
    .filter((text) => caseStart.test(text))
    .map(titleOf);
}

/** The name of a case; the whole line if it has no quoted name. */
function titleOf(text: string): string {
  return /(["'\x60])(.{3,}?)\1/.exec(text)?.[2] ?? text.trim();
}

function checkRemoved(changes: readonly WorkChange[], tests: readonly Counts[]): WorkFinding[] {
  const countsByPath = new Map(tests.map((one) => [one.path, one]));
  const newFiles = changes
    .filter(({ path, change }) => change === 'added' && mayHoldTests(path))
    .map(({ path }) => path);
  const newNames = new Set(newFiles.map((path) => posix.basename(path)));
  const anywhere = new Set(tests.flatMap(({ added }) => added));
  const newCases = countIn(newFiles, countsByPath);

  const gone: string[] = [];
  const fewer: string[] = [];
  for (const { path, change } of changes) {
    if (!mayHoldTests(path)) continue;
    const { added = [], removed = [] } = countsByPath.get(path) ?? {};
    if (change === 'deleted') {
      const isMoved =
        removed.length === 0 ? newNames.has(posix.basename(path)) : removed.every((one) => anywhere.has(one));
      const isRewritten = removed.length > 0 && (newCases.get(posix.dirname(path)) ?? 0) >= removed.length;
      const isTest = removed.length > 0 || isTestName(path);
      if (isTest && !isMoved && !isRewritten) gone.push(path);
    } else if (removed.length > added.length) {
      const before = new Set(removed);
      const lost = removed.filter((one) => !anywhere.has(one)).length;
      if (lost > added.filter((one) => !before.has(one)).length) fewer.push(path);
    }
  }
  if (gone.length + fewer.length === 0) return [];
  const facts = [
    ...(gone.length === 0 ? [] : [`tests were deleted: ${shortList(gone)}`]),
    ...(fewer.length === 0 ? [] : [`fewer test cases than before in ${shortList(fewer)}`]),
  ];
  return [finding('tests-removed', { fact: facts.join('; '), paths: [...gone, ...fewer] })];
}

/** Folder → cases in its new files. */
function countIn(files: readonly string[], counts: ReadonlyMap<string, Counts>): ReadonlyMap<string, number> {
  const byFolder = new Map<string, number>();
  for (const path of files) {
    const folder = posix.dirname(path);
    byFolder.set(folder, (byFolder.get(folder) ?? 0) + (counts.get(path)?.added.length ?? 0));
  }
  return byFolder;
}

/** A rewritten line that was disabled before disables nothing. */
function checkSkipped(lines: readonly ChangedLines[]): WorkFinding[] {
  const isMoved = movedLines(lines);
  const isOff = (text: string): boolean => switchedOff.test(text.slice(0, mostOfLine));
  const places: Place[] = [];
  for (const { path, added, removed } of lines) {
    if (!mayHoldTests(path)) continue;
    const off = added.filter(({ text }) => isOff(text) && !isMoved(text));
    const [first] = off;
    if (first !== undefined && off.length > removed.filter(isOff).length) places.push({ path, line: first.line });
  }
  return findingAt('tests-skipped', 'tests are skipped or focused', places);
}
