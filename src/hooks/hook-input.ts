/** What the client tells a hook, as far as ours look at it. Fields that are missing or of another kind are read as absent. */

export interface HookInput {
  readonly event: string;
  readonly session: string;
  /** Of the conversation; those of its agents lie beside it. */
  readonly transcript: string;
  readonly cwd: string;
  readonly mode: string;
  /** Of the agent that it is about or comes from; empty for the conversation itself. */
  readonly agent: string;
  readonly agentType: string;
  readonly tool: string;
  readonly toolInput: Readonly<Record<string, unknown>>;
  readonly toolResponse: Readonly<Record<string, unknown>>;
  readonly lastMessage: string;
  /** The agent was asked to go on by a hook before. */
  readonly isAskedAgain: boolean;
  /** Ids of agents that the conversation does not wait for. */
  readonly inBackground: readonly string[];
  readonly prompt: string;
  /** Why a session starts. */
  readonly source: string;
}

type Fields = Readonly<Record<string, unknown>>;

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

/** Undefined for what is no JSON object. */
export function parseHookInput(text: string): HookInput | undefined {
  let given: Fields;
  try {
    given = fieldsOf(JSON.parse(text));
  } catch {
    return undefined;
  }
  return {
    event: textOf(given['hook_event_name']),
    session: textOf(given['session_id']),
    transcript: textOf(given['transcript_path']),
    cwd: textOf(given['cwd']),
    mode: textOf(given['permission_mode']),
    agent: textOf(given['agent_id']),
    agentType: textOf(given['agent_type']),
    tool: textOf(given['tool_name']),
    toolInput: fieldsOf(given['tool_input']),
    toolResponse: fieldsOf(given['tool_response']),
    lastMessage: textOf(given['last_assistant_message']),
    isAskedAgain: given['stop_hook_active'] === true,
    inBackground: listOf(given['background_tasks']).map(({ id }) => textOf(id)),
    prompt: textOf(given['prompt']),
    source: textOf(given['source']),
  };
}

/** The client tells, as a prompt, that an agent in the background has ended. */
export const isOfClient = ({ prompt }: HookInput): boolean => prompt.startsWith('<task-notification>');
