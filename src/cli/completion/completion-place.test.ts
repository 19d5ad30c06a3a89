import { Command } from 'commander';
import { expect, it } from 'vitest';
import { completionPlace } from './completion-place.ts';

const program = new Command('divisi');
program.command('run [what...]').option('--driver <name>', 'x').option('-j, --json', 'x');
program.command('logs <task>');
program.command('list');
const contract = program.command('contract');
contract.command('check <name> [file]');

const placeOf = (...words: string[]): unknown => {
  const { of, ...place } = { of: undefined, ...completionPlace(program, words) };
  return { ...place, ...(of === undefined ? {} : { of: of.name() }) };
};

it.each<[string[], object]>([
  [[], { kind: 'command', of: 'divisi' }],
  [['ru'], { kind: 'command', of: 'divisi' }],
  [['-'], { kind: 'option', of: 'divisi' }],
  [['run', ''], { kind: 'argument', of: 'run', name: 'what', before: [] }],
  [['run', 'a', 'b', ''], { kind: 'argument', of: 'run', name: 'what', before: ['a', 'b'] }],
  [['run', '--js'], { kind: 'option', of: 'run' }],
  [['run', '--driver', ''], { kind: 'value', of: 'run', option: '--driver', before: [] }],
  [['run', '--driver', '=', 'x'], { kind: 'value', of: 'run', option: '--driver', before: [] }],
  [['run', '--driver', 'x', ''], { kind: 'argument', of: 'run', name: 'what', before: [] }],
  [['run', '--json', ''], { kind: 'argument', of: 'run', name: 'what', before: [] }],
  [['run', '-', ''], { kind: 'argument', of: 'run', name: 'what', before: ['-'] }],
  [['run', '--', '--js'], { kind: 'argument', of: 'run', name: 'what', before: [] }],
  [['run', 'list', ''], { kind: 'argument', of: 'run', name: 'what', before: ['list'] }],
  [['logs', '1.1', ''], { kind: 'nothing' }],
  [['list', ''], { kind: 'nothing' }],
  [['nobody', ''], { kind: 'nothing' }],
  [['contract', ''], { kind: 'command', of: 'contract' }],
  [['contract', 'check', 'x', ''], { kind: 'argument', of: 'check', name: 'file', before: ['x'] }],
  [['contract', 'check', 'x', 'y', ''], { kind: 'nothing' }],
])('%j', (words, place) => {
  expect(placeOf(...words)).toEqual(place);
});
