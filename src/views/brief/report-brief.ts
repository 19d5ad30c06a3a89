/**
 * Report brief: a task's report within a budget, as a summary with its section names, or as one section in parts. All of it is
 * an agent's words: redacted, escaped, and marked as data. Pure.
 */
import { unsafe } from '../../base/text.ts';
import { redact } from '../../base/redact.ts';
import { escapeXml } from '../text/escape.ts';
import { plainText, xmlText } from './brief-text.ts';
import { callText } from './next-call.ts';
import { proofText } from '../run/proof-text.ts';
import { sectionOf, sectionTitles } from '../run/report-sections.ts';
import type { TaskReport } from '../run/task-report.ts';

export const reportBudget = 2000;
const longestName = 100;

export interface ReportText {
  readonly run: string;
  readonly path: string;
  readonly text: string;
}

/** The summary, the verification, the section names, and the call that shows a section. */
export function reportBrief(task: TaskReport, { run, path, text }: ReportText, budget = reportBudget): string {
  const sections = sectionTitles(redact(text).text).map((title) => xmlText(title, 60));
  const proof = task.verification === undefined ? '' : ` found="${xmlText(proofText(task.verification), 160)}"`;
  const head = `<report task="${xmlText(task.task, 64)}" status="${task.status}"${proof} file="${xmlText(path, 200)}" content="data">`;
  const call = callText('report', { task: cut(task.task), section: 'NAME', run });
  const end = `</report>\nnext: ${call} shows a section.`;
  const room = budget - head.length - end.length;
  const half = Math.floor(room / 2);
  const summary = `<summary>${xmlText(task.summary ?? '', half - 40)}</summary>`;
  let list = '';
  for (const section of sections) {
    const one = `<section>${section}</section>`;
    if (summary.length + list.length + one.length + 20 > room) {
      list += '<section>…</section>';
      break;
    }
    list += one;
  }
  return `${head}${summary}${list}${end}`;
}

/** `wanted` is `Name`, or `Name#2` for the second part. */
export function sectionBrief(task: string, report: ReportText, wanted: string, budget = reportBudget): string {
  const { run, path } = report;
  const { name, part } = wantedPart(report.text, wanted);
  const section = redact(sectionOf(report.text, name, path)).text;
  const head = `<report task="${xmlText(task, 64)}" section="${xmlText(name, longestName)}" content="data">\n`;
  // The upper bound: names are cut, numbers have five digits.
  const room = budget - head.length - 2 * longestName - 220;
  const parts = partsOf(section, room);
  const at = Math.min(Math.max(part, 1), parts.length);
  const rest = parts.length - at;
  const call = callText('report', { task: cut(task), section: `${cut(name)}#${at + 1}`, run });
  const next = rest === 0 ? '' : `\nnext: part ${at} of ${parts.length}; ${call} continues.`;
  return `${head}${parts[at - 1] ?? ''}\n</report>${next}`;
}

/** Escaped parts of at most `room` characters; at least one. */
function partsOf(text: string, room: number): string[] {
  const parts: string[] = [];
  let part = '';
  for (const character of text.toWellFormed().replace(unsafe, ' ').replaceAll('\r', '')) {
    const escaped = escapeXml(character);
    if (part.length + escaped.length > room) {
      parts.push(part);
      part = '';
    }
    part += escaped;
  }
  return [...parts, part];
}

/** A section literally named `Name#2` wins. */
function wantedPart(text: string, wanted: string): { readonly name: string; readonly part: number } {
  const isName = sectionTitles(text).some((title) => title.toLowerCase() === wanted.toLowerCase());
  const [, name, number] = isName ? [] : (/^(.*)#(\d{1,5})$/s.exec(wanted) ?? []);
  return name === undefined ? { name: wanted, part: 1 } : { name: name.trim(), part: Number(number) };
}

const cut = (text: string): string => plainText(text, longestName - 40);
