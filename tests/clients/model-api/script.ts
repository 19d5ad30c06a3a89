/**
 * What the scripted model is asked and what it does about it, in words that no dialect of an API and no agent program owns.
 * One script serves every program: `write`, `run` and `return` become calls of whatever tools the program has offered.
 */
export type DialectName = 'anthropic' | 'responses' | 'chat' | 'gemini';

/** A tool as a program offers it. */
export interface OfferedTool {
  readonly name: string;
  /** Of the Responses dialect: the group a tool is called in. */
  readonly namespace?: string;
  readonly schema: JsonObject;
  /** Takes plain text instead of an object. */
  readonly freeform?: true;
}

export interface ToolCall {
  readonly name: string;
  readonly namespace?: string;
  readonly input: JsonObject | string;
}

export interface Message {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly text: string;
}

/** What a dialect reads out of a request. */
export interface Conversation {
  readonly model: string;
  readonly streams: boolean;
  readonly tools: readonly OfferedTool[];
  readonly messages: readonly Message[];
}

export interface ModelRequest extends Conversation {
  readonly dialect: DialectName;
  /** Counted over all model calls, from 0. */
  readonly index: number;
  /** How many answers of the model the conversation holds already: the same for a call that is retried. */
  readonly turn: number;
  readonly system: string;
  /** What the last answer's tool calls gave. */
  readonly results: readonly string[];
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly path: string;
  readonly body: JsonObject;
}

export interface Tokens {
  /** Without what was cached. */
  readonly input: number;
  readonly output: number;
  readonly cached: number;
}

export type Step = { readonly usage?: Partial<Tokens> } & (
  | { readonly does: 'say'; readonly text: string }
  /** The tools by the names the program has for them. */
  | { readonly does: 'call'; readonly calls: readonly ToolCall[]; readonly text?: string }
  | { readonly does: 'write'; readonly path: string; readonly text: string }
  | { readonly does: 'run'; readonly command: string }
  /** By a tool that takes results, as JSON where the program wants nothing else, or in these words. */
  | { readonly does: 'return'; readonly result: JsonObject; readonly words: string }
  /** The body is the dialect's own for this status unless it is given. */
  | {
      readonly does: 'fail';
      readonly status: number;
      readonly message?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: unknown;
    }
  /** Answers nothing, stopped by the vendor's safety rules. */
  | { readonly does: 'refuse' }
  /** Begins an answer and says nothing more. */
  | { readonly does: 'stall' }
  | { readonly does: 'wait'; readonly milliseconds: number; readonly then: Step }
);

export type Script = (request: ModelRequest) => Step | Promise<Step>;

export interface JsonObject {
  readonly [key: string]: unknown;
}

/**
 * One step per answer of the conversation; past the end the last one. A call without tools is one that the program makes for
 * itself (a title, a summary): it gets a word, and tests count it.
 */
export function inOrder(...steps: readonly Step[]): Script {
  return ({ tools, turn }) =>
    (tools.length === 0 ? undefined : (steps[turn] ?? steps.at(-1))) ?? { does: 'say', text: 'scripted' };
}
