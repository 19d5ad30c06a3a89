/** A part of a file's name that no other has by chance. Nobody is kept out by it: Node's cryptography is slow to load. */
export function randomName(): string {
  return Math.random().toString(36).slice(2).padEnd(12, '0').slice(0, 12);
}
