/**
 * Client files: settings of agent programs in a project's tree that make these programs execute something, such as hooks and MCP
 * servers. A path may be a file or a folder.
 */
export const clientFiles: readonly { readonly path: string; readonly of: string }[] = [
  { path: '.claude/settings.json', of: 'settings of Claude Code: hooks, permissions, variables' },
  { path: '.claude/settings.local.json', of: 'settings of Claude Code: hooks, permissions, variables' },
  { path: '.claude/agents', of: 'agent of Claude Code, and of Divisi' },
  { path: '.claude/agent/subagents', of: 'agent of Divisi' },
  { path: '.claude/skills', of: 'skill of Claude Code' },
  { path: '.mcp.json', of: 'MCP servers of Claude Code and others' },
  { path: '.codex/config.toml', of: 'settings of Codex: MCP servers, hooks' },
  { path: '.codex/hooks.json', of: 'hooks of Codex' },
  { path: '.gemini/settings.json', of: 'settings of Gemini CLI: MCP servers, hooks' },
  { path: '.gemini/extensions', of: 'extension of Gemini CLI' },
  { path: 'opencode.json', of: 'settings of OpenCode: MCP servers, plugins' },
  { path: 'opencode.jsonc', of: 'settings of OpenCode: MCP servers, plugins' },
  { path: '.opencode', of: 'settings or plugin of OpenCode' },
  { path: '.goose', of: 'settings of Goose' },
  { path: '.copilot', of: 'settings of Copilot' },
  { path: '.github/hooks', of: 'hooks of Copilot' },
];
