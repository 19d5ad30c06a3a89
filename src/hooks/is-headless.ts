/** Whether the client has no terminal: it then waits for nobody, and ends when no agent is left to wait for. */
export function isHeadless(environment: NodeJS.ProcessEnv): boolean {
  return environment['CLAUDE_CODE_ENTRYPOINT']?.startsWith('sdk') === true;
}
