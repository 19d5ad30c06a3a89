/** Finds the command being typed and the kind of word that comes next, from Commander's tree. */
import type { Command, Option } from 'commander';

export type CompletionPlace =
  | { readonly kind: 'command'; readonly of: Command }
  | { readonly kind: 'option'; readonly of: Command }
  /** `before`: the preceding arguments of the command. */
  | { readonly kind: 'value'; readonly of: Command; readonly option: string; readonly before: readonly string[] }
  | { readonly kind: 'argument'; readonly of: Command; readonly name: string; readonly before: readonly string[] }
  | { readonly kind: 'nothing' };

function optionOf(command: Command, word: string): Option | undefined {
  return command.options.find(({ long, short }) => long === word || short === word);
}

const takesValue = (option: Option | undefined): option is Option => option?.required === true;

/** `words` come after `divisi`; the last one is being typed, and may be empty. */
export function completionPlace(program: Command, words: readonly string[]): CompletionPlace {
  let of = program;
  let awaited: Option | undefined;
  let isPlain = false;
  const before: string[] = [];
  const partial = words.at(-1) ?? '';
  for (const word of words.slice(0, -1)) {
    // Bash makes a word of its own of the `=` in `--driver=x`.
    if (awaited !== undefined && word === '=') continue;
    if (awaited !== undefined) {
      awaited = undefined;
    } else if (!isPlain && word === '--') {
      isPlain = true;
    } else if (!isPlain && word.startsWith('-') && word !== '-') {
      const option = optionOf(of, word);
      awaited = takesValue(option) ? option : undefined;
    } else {
      const next = before.length === 0 ? of.commands.find((command) => command.name() === word) : undefined;
      if (next === undefined) before.push(word);
      else of = next;
    }
  }
  if (awaited !== undefined) return { kind: 'value', of, option: awaited.long ?? '', before };
  if (!isPlain && partial.startsWith('-')) return { kind: 'option', of };
  if (of.commands.length > 0) return before.length === 0 ? { kind: 'command', of } : { kind: 'nothing' };
  const { registeredArguments } = of;
  const last = registeredArguments.at(-1);
  const argument = registeredArguments[before.length] ?? (last?.variadic === true ? last : undefined);
  return argument === undefined ? { kind: 'nothing' } : { kind: 'argument', of, name: argument.name(), before };
}
