/** Twelve letters of a file's name that no other has by chance. Nobody is kept out by it: Node's cryptography is slow to load. */
export function randomName(): string {
  return Math.floor(Math.random() * 2 ** 48)
    .toString(16)
    .padStart(12, '0');
}
