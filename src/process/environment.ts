/**
 * Builds the environment of a child process: the few variables every program needs, those the user allows by name, and our own.
 * Never passes on any other key or token.
 */

const needed = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LC_*',
  'TZ',
  'TMPDIR',
  'TERM',
  // Behind a company's proxy and certificates, no program reaches a registry without them.
  ...['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY', 'NO_PROXY'].flatMap((name) => [name, name.toLowerCase()]),
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
];

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

/** `allowed`: names, or prefixes that end in `*`; a lone `*` allows nothing. `extra` wins. */
export function childEnvironment(
  own: NodeJS.ProcessEnv,
  allowed: readonly string[],
  extra: Readonly<Record<string, string>>,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  // Names are case-insensitive on Windows.
  const fold = (name: string): string => (platform === 'win32' ? name.toUpperCase() : name);
  const patterns = [...needed, ...(platform === 'win32' ? neededOnWindows : []), ...allowed].map(fold);
  const names = new Set(patterns.filter((pattern) => !pattern.endsWith('*')));
  const beginnings = patterns.filter((pattern) => pattern.endsWith('*')).map((pattern) => pattern.slice(0, -1));
  const isAllowed = (name: string): boolean =>
    names.has(name) || beginnings.some((beginning) => beginning !== '' && name.startsWith(beginning));

  // Large files stay pointers in rooms: a program must not download them.
  const environment: Record<string, string> = { GIT_LFS_SKIP_SMUDGE: '1' };
  for (const [name, value] of Object.entries(own)) {
    if (value !== undefined && isAllowed(fold(name))) environment[name] = value;
  }
  return Object.assign(environment, extra);
}
