/** Runners: the programs that acceptance criteria run. Distinguishes a command from a sentence without code marks. */

/** A pattern for the next word, which is rare in a sentence; null for programs whose name means nothing else. */
const runners: ReadonlyMap<string, RegExp | null> = new Map([
  ...each('npm npx pnpm yarn bun bunx cargo pytest deno mvn gradle tox phpunit rspec ctest vitest jest tsc', null),
  // A file or an option: a language version may be a requirement.
  ...each('node python python3 ruby php perl bash sh tsx uv poetry bundle', /^(?:-|\S*\/|\S+\.[a-z]|run$|exec$)/),
  ...each('go', /^(?:test|vet|build|run|generate)$/),
  ...each('make just', /^(?:test|tests|check|lint|build|verify|ci|all)$/),
  ...each('dotnet', /^(?:test|build|run|format)$/),
]);

function each(names: string, follows: RegExp | null): [string, RegExp | null][] {
  return names.split(' ').map((name) => [name, follows]);
}

/** Programs whose names are also words or values: they need code marks. */
const programs = new Set(
  'git test grep diff cmp ls true false cmake composer swift zig mix eslint ruff mypy'.split(' '),
);

/** Words that would be unlikely arguments. */
const prose = new Set(
  [
    'a an the this that it its all every each no not only',
    'is are be was has have can will should must may',
    'passes pass passed passing works work succeeds succeed runs exits fails fail finds reports shows prints says',
    'still green red again successfully cleanly ok fine',
    'and or but with without on in for to of from at by as when after before over under above below than',
  ].flatMap((line) => line.split(' ')),
);

export function isProse(word: string): boolean {
  return prose.has(word.toLowerCase()) || /[A-Za-z)][,.:!?]$/.test(word);
}

const isOwnScript = (program: string): boolean => /^\.\/./.test(program);

/** True for names that are almost certainly programs. */
export function isRunner(program: string): boolean {
  return isOwnScript(program) || runners.has(program);
}

/** True for names of programs, unless they are also words or values. */
export function isProgram(program: string): boolean {
  return isRunner(program) || programs.has(program);
}

/** True if words without code marks are meant as a command. */
export function isPlainCommand([program = '', ...rest]: readonly string[]): boolean {
  if (rest.some(isProse)) return false;
  if (isOwnScript(program)) return true;
  const follows = runners.get(program);
  return follows === null || (follows !== undefined && follows.test(rest[0] ?? ''));
}
