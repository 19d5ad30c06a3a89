/**
 * `divisi complete -- WORDS…`: prints completions of the last word for the shell scripts, one per line, with a tab
 * and a description behind. Commands and options come from Commander's tree, values are loaded when needed. Prints nothing on errors.
 */
import type { Command } from 'commander';
import { oneLine } from '../../base/text.ts';
import { findProject } from '../../workspace/find-project.ts';
import { completionPlace } from './completion-place.ts';
import type { Candidate } from './completion-values.ts';

/** Words that need no quoting in any shell; others are left out. */
const plainWord = /^[\p{L}\p{N}_.@%+,:/-]+$/u;
const mostShown = 500;

function pathOf(command: Command): string {
  const names: string[] = [];
  for (let at: Command | null = command; at?.parent != null; at = at.parent) names.unshift(at.name());
  return names.join(' ');
}

async function candidatesFor(program: Command, words: readonly string[]): Promise<Candidate[]> {
  const place = completionPlace(program, words);
  const partial = words.at(-1) ?? '';
  switch (place.kind) {
    case 'nothing':
      return [];
    case 'command':
      return place.of
        .createHelp()
        .visibleCommands(place.of)
        .map((command) => ({ value: command.name(), about: command.description() }));
    case 'option':
      return place.of
        .createHelp()
        .visibleOptions(place.of)
        .map(({ long, short, description }) => ({ value: long ?? short ?? '', about: description }));
    case 'value':
    case 'argument': {
      const { completionValues } = await import('./completion-values.ts');
      const project = findProject(process.cwd());
      const name = place.kind === 'value' ? place.option : place.name;
      return completionValues({ project, command: pathOf(place.of), name, before: place.before, partial });
    }
    default:
      return place satisfies never;
  }
}

export async function complete(program: Command, words: readonly string[]): Promise<string> {
  try {
    // Bash makes a word of its own of the `=` in `--driver=x`.
    const partial = words.at(-1) === '=' ? '' : (words.at(-1) ?? '');
    const found = await candidatesFor(program, [...words.slice(0, -1), partial]);
    return found
      .filter(({ value }) => value.startsWith(partial) && plainWord.test(value))
      .slice(0, mostShown)
      .map(({ value, about }) => (about === '' ? `${value}\n` : `${value}\t${oneLine(about, 60)}\n`))
      .join('');
  } catch {
    return '';
  }
}
