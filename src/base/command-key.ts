/** Names a command uniquely, whatever its words are. */
export const commandKey = (argv: readonly string[]): string => JSON.stringify(argv);
