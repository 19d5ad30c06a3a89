/** Agent notes: reports which agents of a run are replaced by files, and which files a gate does not use. */
import { type Agents, plainName } from './registry.ts';

/** One line each, for the start of a run. `names` are the agents that the run may use. */
export function agentNotes({ byName, kept }: Agents, names: Iterable<string>): string[] {
  const plain = [...new Set(Array.from(names, plainName))];
  return plain.flatMap((name) => {
    const { file, replaces } = byName.get(name) ?? {};
    const other = kept.get(name);
    const before = replaces === 'built-in' ? 'the built-in one' : replaces;
    return [
      ...(file === undefined || before === undefined ? [] : [`agent ${name}: ${file} replaces ${before}`]),
      ...(other === undefined ? [] : [keptText(name, other)]),
    ];
  });
}

export function keptText(name: string, file: string): string {
  return `${file} is not used: ${name} decides gates, and only a file in .divisi/agents/ may replace it`;
}
