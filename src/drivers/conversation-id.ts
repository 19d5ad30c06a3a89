/**
 * Checks the id of a conversation. Clients make it up and get it back, also on a command line: refuses anything that could be an
 * option, a path or a second argument.
 */
export function isConversationId(id: string): boolean {
  return /^\w[\w.:-]{0,199}$/.test(id);
}
