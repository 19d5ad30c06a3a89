/** Twelve random letters for a unique file name. Not a secret: Node's crypto module is slow to load. */
export function randomName(): string {
  return Math.floor(Math.random() * 2 ** 48)
    .toString(16)
    .padStart(12, '0');
}
