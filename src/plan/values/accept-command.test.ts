import { describe, expect, it } from 'vitest';
import { acceptCommand } from './accept-command.ts';
import { leastTime } from '../../../tests/support/processor-time.ts';

describe('acceptCommand', () => {
  it.each([
    ['npm test', ['npm', 'test']],
    ['  npm run lint -- --fix  ', ['npm', 'run', 'lint', '--', '--fix']],
    ['npm run clean', ['npm', 'run', 'clean']],
    [`pytest -k 'not slow' "tests/a b.py"`, ['pytest', '-k', 'not slow', 'tests/a b.py']],
    ['pytest tests/a.py::test_x[1-2]', ['pytest', 'tests/a.py::test_x[1-2]']],
    ['./gradlew check', ['./gradlew', 'check']],
    ['./prüfen.sh', ['./prüfen.sh']],
    ['node check.mjs', ['node', 'check.mjs']],
    ['python -m unittest', ['python', '-m', 'unittest']],
    ['go test ./...', ['go', 'test', './...']],
    ['make check', ['make', 'check']],
    ['`npm test`', ['npm', 'test']],
    ['``npm test``', ['npm', 'test']],
    ['`` npm test ``', ['npm', 'test']],
    ['`npm test`.', ['npm', 'test']],
    ['`make`', ['make']],
    ['`make everything the same`', ['make', 'everything', 'the', 'same']],
    ['`bin/check --all`', ['bin/check', '--all']],
    ['`./check`', ['./check']],
    ['the tests pass: `npm test`', ['npm', 'test']],
    ['the `a` tests pass: `npm test`.', ['npm', 'test']],
    ['**Types**: `tsc -p .`', ['tsc', '-p', '.']],
    ['there are no errors: `tsc -p .`', ['tsc', '-p', '.']],
    ['it holds: `true`', ['true']],
    ['accept: npm test', ['npm', 'test']],
    ['Accept: `own-check`', ['own-check']],
    ['**run:** own-check --all', ['own-check', '--all']],
    ['run: test -f out.txt', ['test', '-f', 'out.txt']],
    ['$ own-check', ['own-check']],
    ['`$ own-check`', ['own-check']],
    [`run: node -e 'process.exit(a && b ? "$X" : \`*\`)'`, ['node', '-e', 'process.exit(a && b ? "$X" : `*`)']],
    ['run: grep -q "a|b;c > d*" file', ['grep', '-q', 'a|b;c > d*', 'file']],
    ['run: grep "x$" a\\*b', ['grep', 'x$', 'a*b']],
  ])('takes %j for a command', (criterion, words) => {
    expect(acceptCommand(criterion)).toEqual(words);
  });

  it.each([
    '',
    '`',
    '``',
    '` `',
    'npm test passes',
    'npm test is still green',
    'npm test, every time',
    "npm test doesn't break",
    'the npm tests pass',
    'cargo and npm agree',
    'pytest passes without warnings',
    'node 22.18 or later',
    'node 24',
    'python 3',
    'make it fast',
    'make check pass',
    'go live',
    'every colour has a name',
    'survives a reload',
    '`npm test` passes',
    '`npm test` and `npm run lint`',
    '`a; b` stays',
    '`parseDate`',
    '`parseDate()`',
    '`src/a.ts`',
    '`--json`',
    '`Hello world`',
    '`status: done`',
    'it has one export: `parseDate`',
    'it prints: `hello world`',
    'the output is: `a b`',
    'see `npm test`',
    'accept: the list is sorted',
    'accepts: npm',
    'running: npm test',
    'the flag is: `true`',
    '$5 saved',
    '$ 5 saved',
  ])('takes %j for words', (criterion) => {
    expect(acceptCommand(criterion)).toBeUndefined();
  });

  it.each([
    ['npm test && npm run lint', '&&'],
    ['npm test || true', '||'],
    ['npm test | tail -1', '|'],
    ['npm test > out.txt', '>'],
    ['npm test < in.txt', '<'],
    ['npm test &', '&'],
    ['`npm test; npm run lint`', ';'],
    ['the tests pass: `npm test; rm x`', ';'],
    ['`npx prettier src/*.ts`', '*'],
    ['run: rm {a,b}.txt', '{a,b}'],
    ['run: test -d ~/x', '~'],
    ['run: echo $HOME', '$HOME'],
    ['run: test "$(git status)" = ""', '$('],
    ['run: test "`pwd`" = x', '`'],
    ['run: CI=1 npm test', 'CI='],
    ['run: ! grep -r TODO src', '!'],
    ['run: (cd a)', '('],
    ['run: npm test # all of them', '#'],
  ])('refuses %j, which needs a shell for %j', (criterion, syntax) => {
    expect(acceptCommand(criterion)).toEqual({ fault: expect.stringContaining(`${syntax} needs a shell,`) });
  });

  it.each(['run:', 'run: "a', 'run: "" a', 'run: a\0b', '`npm test "x`'])('refuses %j', (criterion) => {
    expect(acceptCommand(criterion)).toEqual({
      fault: expect.stringMatching(/^it (?:contains a control character|is empty or has an unclosed quote)$/),
    });
  });

  it.each(['`', '{', '{,', '$', '`a ', 'run: {', '\\', '"', 'npm ', ': `', ' '])(
    'takes linear time for many %j',
    (piece) => {
      const text = `run: ${piece.repeat(100_000)}`;
      const work = (): void => {
        acceptCommand(text);
        acceptCommand(text.slice(5));
      };
      expect(leastTime(work, 1000)).toBeLessThan(1000);
    },
  );
});
