/**
 * What is particular about one agent program, as data: the drivers never ask for a name. What a program says of itself was
 * measured on the versions that `tests/clients/package.json` pins.
 */
import type { Strength } from './strength.ts';
import type { Tier } from '../../plan/plan.ts';
import type { OneShot } from '../one-shot/one-shot.ts';
import type { JsonObject } from '../../base/json-value.ts';
import type { PermissionRules } from '../permission-policy.ts';
import type { FailureRow } from './failure-row.ts';

/** How a program is driven over the Agent Client Protocol. */
export interface AcpProfile {
  /** The program is looked up on the PATH. */
  readonly argv: readonly string[];
  /** What it needs to be told through its environment: above all, to make no model calls of its own. */
  readonly variables: Readonly<Record<string, string>>;
  /** Variables that hold settings as JSON: these are laid over what the user's environment has in them. */
  readonly settings?: Readonly<Record<string, JsonObject>>;
  /** `_meta` of a new session. */
  readonly meta?: JsonObject;
  /** The session mode in which it asks before it does anything that its folder does not confine. */
  readonly mode?: string;
  /** That of an agent that reviews, where it is another one. */
  readonly reviewMode?: string;
  /** `_meta` of a new session in which only these tools are there. */
  readonly limitTools?: (tools: readonly string[]) => JsonObject;
  /** Its own method by which a session is named, so that no model is asked for a name. */
  readonly nameSession?: string;
  /**
   * What its account of tokens is of: the whole turn, the session so far, the last model call, the turn but told in
   * `_meta.quota`, or nothing.
   */
  readonly usage: 'turn' | 'session' | 'last-call' | 'quota-meta' | 'none';
  /** What is asked for by this program and means something else than by others. */
  readonly permissions?: PermissionRules;
  /** What its client says in a piece of its own among its agent's words, and what is no word of theirs. */
  readonly noise?: RegExp;
  /** An error at its start that passes by itself: it is started once more. */
  readonly startAgain?: RegExp;
  /** How an error of its provider begins where it stands in place of its agent's words, in a piece of its own. */
  readonly errorText?: RegExp;
  /** Whether a conversation can be gone on with in another process. What it says of itself is not enough. */
  readonly resumes: boolean;
}

export interface Profile {
  readonly name: string;
  readonly title: string;
  /** What a person does to have it. */
  readonly install: string;
  /** What a person does to let it work: its log-in, or its key. */
  readonly access: string;
  /** Variables of the user's environment that it gets: keys, addresses, where it keeps its things. */
  readonly environment: readonly string[];
  readonly tiers: Readonly<Record<Tier, Strength>>;
  readonly acp?: AcpProfile;
  readonly oneShot?: OneShot;
  /** The first that matches counts. */
  readonly failures: readonly FailureRow[];
}
