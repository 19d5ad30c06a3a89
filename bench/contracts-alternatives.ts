/**
 * Readers that a project would write without Divisi, one per wire format: gray-matter, jsonrepair or a regular expression,
 * then zod. They accept well-formed returns only: no other format, no repair, no redaction, no positions.
 */
import matter from 'gray-matter';
import { jsonrepair } from 'jsonrepair';
import { z } from 'zod';
import type { WireFormat } from '../src/index.ts';

export interface Alternative {
  readonly name: string;
  /** Throws on anything it does not understand. */
  readonly read: (text: string) => unknown;
}

const text = z.string().min(1);
const texts = z.array(text);

const report = z.object({
  schema_version: z.literal('1.0.0'),
  run_id: text,
  task_id: text,
  status: z.enum(['done', 'partial', 'failed', 'blocked']),
  files_touched: z.array(z.object({ resource: text, action: z.enum(['create', 'edit', 'delete']) })),
  acceptance_check: z.array(z.object({ criterion: text, status: z.enum(['pass', 'fail', 'skip']), evidence: text })),
  notes_for_orchestrator: texts,
  worklog_path: text,
  summary: text.max(2000),
  decisions: texts,
  issues: texts,
});

function readReport(given: string): unknown {
  // With options, or gray-matter answers from its cache.
  const { data, content } = matter(given, {});
  const sections: Record<string, string> = {};
  for (const part of content.split(/^## /m).slice(1)) {
    const end = part.indexOf('\n');
    sections[part.slice(0, end).trim().toLowerCase()] = part.slice(end).trim();
  }
  const items = (section = ''): string[] => Array.from(section.matchAll(/^- (.*)$/gm), ([, item = '']) => item.trim());
  return report.parse({
    ...data,
    summary: sections['summary'],
    decisions: items(sections['decisions']),
    issues: items(sections['issues']),
  });
}

const structured = z.object({
  status: z.enum(['completed', 'partial', 'failed', 'blocked']),
  summary: text.max(2000),
  artifacts: z.array(z.object({ type: text, path: text, summary: text })),
  metadata: z.object({
    session_id: text,
    agent_type: text,
    delegation_depth: z.int().min(0),
    delegation_path: texts,
    duration_seconds: z.number().optional(),
    phase_count: z.int().optional(),
  }),
  errors: z.array(
    z.object({ type: text, code: text, message: text, recoverable: z.boolean(), recommendation: text.optional() }),
  ),
  next_steps: text.optional(),
});

const block = z.object({
  phase: z.object({ current: z.int(), total: z.int() }),
  phase_complete: z.boolean(),
  files_changed: texts,
  files_created: texts,
  tests_added: z.int().min(0),
  tests_passing: z.boolean(),
  test_failures: texts,
  blockers: text.nullable(),
  next_action: text,
});

function blockValue(written: string): unknown {
  if (written === 'none') return null;
  if (written === 'true' || written === 'false') return written === 'true';
  if (/^\d+$/.test(written)) return Number(written);
  const [, current, total] = /^(\d+)\/(\d+)$/.exec(written) ?? [];
  if (current !== undefined) return { current: Number(current), total: Number(total) };
  const [, list] = /^\[(.*)\]$/.exec(written) ?? [];
  if (list === undefined) return written;
  return Array.from(list.matchAll(/"((?:[^"\\]|\\.)*)"|[^,\s][^,]*/g), ([item, quoted]) => quoted ?? item.trim());
}

function readBlock(given: string): unknown {
  const [, inner = ''] = /---OUTPUT---\n([\s\S]*?)\n---END---/.exec(given) ?? [];
  const pairs = inner.matchAll(/^(\w+):[ \t]*(.*)$/gm);
  return block.parse(Object.fromEntries(Array.from(pairs, ([, key = '', value = '']) => [key, blockValue(value)])));
}

const verdict = z.object({ priority: z.enum(['HIGH', 'MED', 'LOW']), action: text.max(60), path: text });

function readLine(given: string): unknown {
  const [, priority, action, path] = /^\s*(\w+)\s*\|\s*([^|\n]+?)\s*\|\s*(\S+)\s*$/m.exec(given) ?? [];
  return verdict.parse({ priority, action, path });
}

export const alternatives: Readonly<Record<WireFormat, Alternative>> = {
  report: { name: 'gray-matter + zod', read: readReport },
  json: { name: 'jsonrepair + zod', read: (given) => structured.parse(JSON.parse(jsonrepair(given))) },
  block: { name: 'regular expressions + zod', read: readBlock },
  line: { name: 'a regular expression + zod', read: readLine },
};
