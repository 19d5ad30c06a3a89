/**
 * Report text: lets an agent that may not write files return the text of its report as a field. Divisi writes the file, and the
 * return is then read as if the agent had written it.
 */
import type { Contract } from './contract.ts';
import type { Field } from './field.ts';

/** The field that replaces the path of the report. */
export const reportTextField = 'report_text';

/** Characters. */
const longest = 100_000;

const field: Field = { type: 'text', maxLength: longest, about: 'the whole text of your report, as markdown' };
const example = '# Review\n\nRefunds are rounded twice: src/refund.ts, line 12.';

/** The return of this contract is a line that names the file of a report. */
export function pointsToReport({ wireFormat, fields }: Contract): boolean {
  return wireFormat === 'line' && fields['path']?.feeds === 'report' && !(reportTextField in fields);
}

/** The contract with the report's text in place of its path; unchanged if it names no report. */
export function withReportText(contract: Contract): Contract {
  if (!pointsToReport(contract)) return contract;
  const { path: _, ...fields } = contract.fields;
  const { path: __, ...values } = contract.example;
  return {
    ...contract,
    fields: { ...fields, [reportTextField]: field },
    example: { ...values, [reportTextField]: example },
  };
}
