/** Agent folders: where a project keeps agents, in the order of precedence, the weakest first. */
export const agentFolders = ['.claude/agents', '.claude/agent/subagents', '.divisi/agents'] as const;
