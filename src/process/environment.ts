/**
 * What a child process is told of our environment: a short list of names that programs need to work at all, those that
 * the user allows by name, and what we add. A key or a token that is in our environment stays here.
 */

const needed = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_*', 'TZ', 'TMPDIR', 'TERM'];

const neededOnWindows = [
  'APPDATA',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'PATHEXT',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'USERNAME',
  'USERPROFILE',
  'WINDIR',
];

/** `allowed` has names, or beginnings of names that end in `*`; a lone `*` allows nothing. What is in `extra` wins. */
export function childEnvironment(
  own: NodeJS.ProcessEnv,
  allowed: readonly string[],
  extra: Readonly<Record<string, string>>,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  // There, names are the same whatever the case of their letters.
  const fold = (name: string): string => (platform === 'win32' ? name.toUpperCase() : name);
  const patterns = [...needed, ...(platform === 'win32' ? neededOnWindows : []), ...allowed].map(fold);
  const names = new Set(patterns.filter((pattern) => !pattern.endsWith('*')));
  const beginnings = patterns.filter((pattern) => pattern.endsWith('*')).map((pattern) => pattern.slice(0, -1));
  const isAllowed = (name: string): boolean =>
    names.has(name) || beginnings.some((beginning) => beginning !== '' && name.startsWith(beginning));

  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(own)) {
    if (value !== undefined && isAllowed(fold(name))) environment[name] = value;
  }
  return Object.assign(environment, extra);
}
