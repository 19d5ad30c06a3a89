/** Names worktrees and branches: one name per attempt, valid in a branch name and as a file name. */

/** The folder with the worktrees of all runs, relative to the project. */
export const worktreesFolder = '.divisi/worktrees';

/** File systems allow 255 bytes; a branch adds `.lock` while it is written. */
const longest = 120;

/**
 * Distinct ids give distinct names: `_` begins every escape and nothing else. The attempt number at the end keeps a
 * name from ending in a dot or in `.lock`.
 */
function safeName(id: string): string {
  const name = id
    .replace(/[^A-Za-z0-9.-]/gu, (char) => (char === '_' ? '__' : `_${char.codePointAt(0)?.toString(16) ?? ''}_`))
    .replace(/^[.-]|(?<=\.)\./g, (char) => `_${char === '.' ? '2e' : '2d'}_`);
  if (name.length <= longest) return name;
  // Loaded on demand, which is rare.
  const { createHash } = process.getBuiltinModule('node:crypto');
  return `${name.slice(0, longest - 34)}_h${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;
}

export function attemptName(task: string, attempt: number): string {
  return `${safeName(task)}-${attempt}`;
}

/** A checkout that belongs to no task; no task's name ends like this. */
export function checkoutName(name: string): string {
  return `${safeName(name)}-merged`;
}

export function runBranch(run: string): string {
  return `divisi/${run}`;
}

export function attemptBranch(run: string, name: string): string {
  return `divisi-task/${run}/${name}`;
}

export function worktreeFolder(run: string, name: string): string {
  return `${worktreesFolder}/${run}/${name}`;
}

/** The ref that keeps the changes of set-up, see `keepSetUp`. */
export function setUpRef(folder: string): string {
  return `refs/divisi/set-up/${folder.slice(worktreesFolder.length + 1)}`;
}
