/** Decides whether a room is set up for its agent: one that only reads needs no dependencies. */
import { isReview, type Role } from '../../core/event/role.ts';

/** Tools that read and write files, by the names of Claude Code and of others. Every other tool may run commands. */
const filesOnly = new Set(
  `read grep glob ls list write edit multiedit notebookread notebookedit todoread todowrite webfetch websearch read_file read_many_files
  list_directory grep_search search_file_content write_file replace apply_patch patch web_fetch google_web_search`.split(
    /\s+/,
  ),
);

/** Commands that need only the repository: `Bash(git diff:*)`. */
const gitOnly = /^bash\(git[ :]/;

/** `tools` are the only ones that the agent has; absent without a limit. Reviews have no acceptance commands of their own. */
export function needsSetUp(role: Role, tools: readonly string[] | undefined): boolean {
  if (!isReview(role) || tools === undefined) return true;
  return !tools.map((tool) => tool.toLowerCase()).every((tool) => filesOnly.has(tool) || gitOnly.test(tool));
}
