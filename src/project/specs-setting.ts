/** Reads `specs:` of the config. A config that does not mention it is not parsed: every command about backlog tasks starts here. */
import { readOwnText } from '../workspace/own-text.ts';

export async function specsSetting(project: string): Promise<string | undefined> {
  // An unreadable file is reported by `loadConfig`.
  if (!namesSpecs(project)) return undefined;
  const { loadConfig } = await import('./project-folder.ts');
  return (await loadConfig(project)).specs;
}

/** What cannot be read is for the loader to report. */
function namesSpecs(project: string): boolean {
  try {
    const read = readOwnText(project, '.divisi/config.yaml', 1024 * 1024);
    return 'text' in read ? read.text.includes('specs') : read.fault !== 'missing';
  } catch {
    return true;
  }
}
