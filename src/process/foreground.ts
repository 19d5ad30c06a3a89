/** Checks whether this process may use its terminal: the system stops a background process that tries. */
import { readProcess } from './process-stat.ts';

/** True where the system does not say: only Linux does. */
export function isInForeground(): boolean {
  const text = readProcess(process.pid, 'stat');
  if (text === null) return true;
  const [, , group, , , foreground] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return group === foreground;
}
