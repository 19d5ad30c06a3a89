/**
 * Translates tool names to those of another program. Many agents are written for Claude Code: its names map to the program's
 * equivalents. Drops a part of a tool such as `Bash(git *)`, which other programs cannot grant.
 */
type Names = Readonly<Record<string, readonly string[]>>;

export function toolNamesIn(program: Names, tools: readonly string[]): string[] {
  const whole = tools.filter((tool) => !tool.includes('('));
  return [...new Set(whole.flatMap((tool) => (Object.hasOwn(program, tool) ? (program[tool] ?? []) : [tool])))];
}

export const codexNames: Names = { Bash: ['exec_command'], Edit: ['apply_patch'], Write: ['apply_patch'] };

export const geminiNames: Names = {
  Bash: ['run_shell_command'],
  Edit: ['replace'],
  Glob: ['glob'],
  Grep: ['grep_search', 'search_file_content'],
  LS: ['list_directory'],
  Read: ['read_file', 'read_many_files'],
  WebFetch: ['web_fetch'],
  WebSearch: ['google_web_search'],
  Write: ['write_file'],
};

/** Names of OpenCode's permissions: one covers all tools that change files. */
export const openCodeNames: Names = {
  Bash: ['bash'],
  Edit: ['edit'],
  Glob: ['glob'],
  Grep: ['grep'],
  LS: ['list'],
  Read: ['read'],
  WebFetch: ['webfetch'],
  WebSearch: ['websearch'],
  Write: ['edit'],
  apply_patch: ['edit'],
  multiedit: ['edit'],
  patch: ['edit'],
  write: ['edit'],
};
