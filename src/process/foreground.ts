/** Whether this process may use its terminal. One in the background is stopped by the system when it tries to. */
import { readProcess } from './process-stat.ts';

/** True as well where the system does not say: only Linux does. */
export function isInForeground(): boolean {
  const text = readProcess(process.pid, 'stat');
  if (text === null) return true;
  const [, , group, , , foreground] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return group === foreground;
}
