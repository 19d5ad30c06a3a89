/** HookInput: the JSON that the client sends to a hook. Missing or mistyped fields read as empty. */
import { type JsonObject, listOf, objectOf, textAt, textOrEmpty } from '../base/json-value.ts';

export interface HookInput {
  /** The client's event, or `Wake`: a second hook of UserPromptSubmit. */
  readonly event: string;
  readonly session: string;
  /** Of the conversation; those of its agents are beside it. */
  readonly transcript: string;
  readonly cwd: string;
  readonly mode: string;
  /** Id of the agent that the event is about; empty for the conversation itself. */
  readonly agent: string;
  readonly agentType: string;
  readonly tool: string;
  readonly toolInput: JsonObject;
  readonly toolResponse: JsonObject;
  readonly lastMessage: string;
  /** A hook has already asked the agent to continue. */
  readonly isAskedAgain: boolean;
  /** Ids of background agents. */
  readonly inBackground: readonly string[];
  readonly prompt: string;
  /** Why a session starts. */
  readonly source: string;
}

/** Undefined unless the text is a JSON object. `hook` is the name the hook was started with. */
export function parseHookInput(text: string, hook?: string): HookInput | undefined {
  let given: JsonObject;
  try {
    given = objectOf(JSON.parse(text));
  } catch {
    return undefined;
  }
  return {
    event: hook === 'Wake' ? hook : textOrEmpty(given['hook_event_name']),
    session: textOrEmpty(given['session_id']),
    transcript: textOrEmpty(given['transcript_path']),
    cwd: textOrEmpty(given['cwd']),
    mode: textOrEmpty(given['permission_mode']),
    agent: textOrEmpty(given['agent_id']),
    agentType: textOrEmpty(given['agent_type']),
    tool: textOrEmpty(given['tool_name']),
    toolInput: objectOf(given['tool_input']),
    toolResponse: objectOf(given['tool_response']),
    lastMessage: textOrEmpty(given['last_assistant_message']),
    isAskedAgain: given['stop_hook_active'] === true,
    inBackground: listOf(given['background_tasks']).map((task) => textAt(task, 'id')),
    prompt: textOrEmpty(given['prompt']),
    source: textOrEmpty(given['source']),
  };
}

/** The client's notification, sent as a prompt, that a background agent has ended. */
export const isNotification = ({ prompt }: HookInput): boolean => prompt.startsWith('<task-notification>');
