/**
 * Profile: everything specific to one agent program, as data. Drivers never check for a name. Measured on the versions pinned in
 * `tests/clients/package.json`.
 */
import type { DelegationLimits, LimitName } from '../../base/delegation-limits.ts';
import type { LimitWays } from './limit-ways.ts';
import type { Strength } from './strength.ts';
import type { Tier } from '../../plan/plan.ts';
import type { OneShot } from '../one-shot/one-shot.ts';
import type { JsonObject } from '../../base/json-value.ts';
import type { PermissionRules } from '../permission-policy.ts';
import type { ClientFolder } from './client-folder.ts';
import type { FailureRow } from './failure-row.ts';

/** How to drive a program over the Agent Client Protocol. */
export interface AcpProfile {
  /** The program is looked up on the PATH. */
  readonly argv: readonly string[];
  /** Variables it needs, above all to make no model calls of its own. */
  readonly variables: Readonly<Record<string, string>>;
  /** Variables with JSON settings, merged over the user's. */
  readonly settings?: Readonly<Record<string, JsonObject>>;
  /** `_meta` of a new session. */
  readonly meta?: JsonObject;
  /** The session mode in which it asks before it leaves its folder. */
  readonly mode?: string;
  /** The mode for reviews, if different. */
  readonly reviewMode?: string;
  /** The mode without a sandbox of its own, where ours holds and its own would not start in it; reviews then only read. */
  readonly confinedMode?: string;
  /** In that mode no tool can be counted on to write a file, its report included. */
  readonly reviewsReadOnly?: true;
  /** `_meta` of a new session that has only these tools. */
  readonly limitTools?: (tools: readonly string[]) => JsonObject;
  /** `_meta` of a new session that ends itself at these limits. */
  readonly passLimits?: (limits: DelegationLimits) => JsonObject;
  /** Its errors at the limits it was passed. */
  readonly limitErrors?: Readonly<Partial<Record<LimitName, RegExp>>>;
  readonly limits: LimitWays;
  /** It refuses MCP servers that it would have to start: it connects to one of ours. */
  readonly submits?: 'http';
  /** Its method to name a session, which saves a model call for the name. */
  readonly nameSession?: string;
  /** What its token count covers: the turn, the session so far, the last model call, the turn (in `_meta.quota`), or nothing. */
  readonly usage: 'turn' | 'session' | 'last-call' | 'quota-meta' | 'none';
  /** Rules for requests that mean something else than for other programs. */
  readonly permissions?: PermissionRules;
  /** Messages of the client, each in its own piece, among the agent's words. */
  readonly noise?: RegExp;
  /** A transient error at the start: the program is started again. */
  readonly startAgain?: RegExp;
  /** Start of a provider error that arrives as the agent's words, in its own piece. */
  readonly errorText?: RegExp;
  /** It can resume a conversation in another process. Measured: its own claim is not enough. */
  readonly resumes: boolean;
  /** Only in the folder it began in. */
  readonly resumesHereOnly?: true;
}

export interface Profile {
  readonly name: string;
  readonly title: string;
  /** How a person installs it. */
  readonly install: string;
  /** How a person gives it access: log-in or key. */
  readonly access: string;
  /** Variables of the user's environment that it receives: keys, addresses, folders. */
  readonly environment: readonly string[];
  /** Variables with its own limits of retries, unless the user or the config sets them. */
  readonly defaults?: Readonly<Record<string, string>>;
  readonly tiers: Readonly<Record<Tier, Strength>>;
  /** Where it keeps its own files. */
  readonly folders: readonly ClientFolder[];
  readonly acp?: AcpProfile;
  readonly oneShot?: OneShot;
  /** The first match wins. */
  readonly failures: readonly FailureRow[];
}
