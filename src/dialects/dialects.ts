/** Names each dialect and its reader: `acp`, or the program whose own lines they are. */
import { acpReader } from './acp.ts';
import { claudeReader } from './claude.ts';
import { codexReader } from './codex.ts';
import type { EntryReader } from './entry.ts';
import { geminiReader } from './gemini.ts';
import { opencodeReader } from './opencode.ts';

export const dialects: ReadonlyMap<string, () => EntryReader> = new Map([
  ['acp', acpReader],
  ['claude', claudeReader],
  ['codex', codexReader],
  ['gemini', geminiReader],
  ['opencode', opencodeReader],
]);
