/**
 * Written report: writes the report of an agent that returned its text as a field, to its assigned path in the agent's folder.
 * Refuses a report that the contract does not accept. The text is redacted by reading it; a path that the return names is ignored.
 */
import { dirname, join } from 'node:path';
import { isRefusal } from '../base/error.ts';
import { objectIn, textOf } from '../base/json-value.ts';
import type { Contract } from '../contracts/contract.ts';
import { read, type ReadOptions } from '../contracts/read/read.ts';
import { pointsToReport, reportTextField, withReportText } from '../contracts/report-text.ts';
import type { Reading } from '../contracts/result.ts';
import { asJson, type ReturnWay } from '../contracts/return-way.ts';
import { writeAtomically } from '../workspace/atomic-file.ts';
import { folderInside } from '../workspace/project-path.ts';

interface CarriedReport {
  readonly contract: Contract;
  readonly by: ReturnWay | undefined;
  readonly text: string;
  readonly expected: ReadOptions;
  /** Absolute: the agent's folder. */
  readonly root: string;
  readonly reportPath: string;
}

/** The return with the path of the written report in place of its text, or its violations. Any other text is unchanged. */
export async function withWrittenReport(carried: CarriedReport): Promise<string | Reading> {
  const { contract, by, text, expected, root, reportPath } = carried;
  const mayCarry = by === 'tool-report' || by === undefined;
  if (!mayCarry || !pointsToReport(contract) || !text.trimStart().startsWith('{')) return text;
  const { path, [reportTextField]: report, ...values } = objectIn(text);
  // It was not asked for the text, or it could write its file after all.
  if (report === undefined && (by !== 'tool-report' || path !== undefined)) return text;
  const given = JSON.stringify({ ...values, [reportTextField]: report });
  const reading = read(asJson(withReportText(contract)), given, expected);
  const written = reading.ok ? textOf(reading.result.fields[reportTextField]) : undefined;
  if (written === undefined) return reading;
  try {
    const folder = await folderInside(root, dirname(reportPath));
    await writeAtomically(join(folder, reportPath.slice(dirname(reportPath).length + 1)), `${written.trimEnd()}\n`);
  } catch (error) {
    // The return is then refused for the file that is missing.
    if (!isRefusal(error)) throw error;
  }
  return JSON.stringify({ ...values, path: reportPath });
}
