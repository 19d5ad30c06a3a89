/**
 * What may be the id of a conversation. Clients make it up and are told it again, on a command line among others: what could be
 * an option, a path or a second word is none.
 */
export function isConversationId(id: string): boolean {
  return /^\w[\w.:-]{0,199}$/.test(id);
}
