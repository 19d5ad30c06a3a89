/** Recognise: finds the return in a text, and its wire format. */
import type { Contract } from '../contract.ts';
import { Findings } from '../finding.ts';
import { findBlock } from '../wire/block.ts';
import { fieldName } from '../wire/entries.ts';
import { type WireReturn, type WireFormat, wireFormats } from '../wire/raw.ts';
import { findJsonReturn } from '../wire/json.ts';
import { findLine, statusLine } from '../wire/line.ts';
import { findReport, headingName } from '../wire/report.ts';

function finder(format: WireFormat, contract: Contract): (text: string, findings: Findings) => WireReturn | undefined {
  const known = new Set(Object.keys(contract.fields));
  switch (format) {
    case 'block':
      return (text, findings) => findBlock(text, known, findings);
    case 'json':
      return (text, findings) => findJsonReturn(text, known, findings);
    case 'report':
      return (text, findings) => findReport(text, known, headingsOf(contract), findings);
    case 'line':
      return (text, findings) => findLine(text, contract.line ?? statusLine, findings);
    default:
      return format satisfies never;
  }
}

function headingsOf({ fields }: Contract): ReadonlySet<string> {
  return new Set(
    Object.entries(fields).map(([name, { section }]) => headingName(section ?? name.replaceAll('_', ' '))),
  );
}

/** The contract's fields that a candidate has values for. */
function fieldsNamed({ values, sections }: WireReturn, { fields }: Contract): ReadonlySet<string> {
  const named = new Set<string>();
  for (const [name, { section }] of Object.entries(fields)) {
    if (section !== undefined && sections.has(headingName(section))) named.add(name);
  }
  for (const key of values.keys()) {
    const name = fieldName(key.slice(0, 100));
    if (Object.hasOwn(fields, name)) named.add(name);
  }
  return named;
}

export interface Recognised {
  readonly found: WireReturn;
  readonly findings: Findings;
}

/**
 * The candidate that names the most fields wins: a block may hold JSON, and a report may quote a line. On a tie, the
 * contract's own format wins. Another format needs at least one field: prose is full of braces and pipes.
 */
export function recognise(text: string, contract: Contract, normalised: Findings): Recognised | undefined {
  const others = wireFormats.filter((format) => format !== contract.wireFormat);
  const needed = Object.keys(contract.fields).filter((name) => contract.fields[name]?.presence !== 'optional');
  let best: Recognised | undefined;
  let most = -1;
  for (const format of [contract.wireFormat, ...others]) {
    const findings = new Findings();
    findings.deviations.push(...normalised.deviations);
    const found = finder(format, contract)(text, findings);
    if (found === undefined) continue;
    const isOwn = format === contract.wireFormat;
    if (!isOwn) findings.deviate('wire-format', '', `${format} instead of ${contract.wireFormat}`);
    const named = fieldsNamed(found, contract);
    const counts = isOwn || named.size > 0 || (format === 'line' && contract.wireFormat === 'report');
    if (counts && named.size > most) {
      best = { found, findings };
      most = named.size;
    }
    const isWhole = named.size > 0 && needed.every((name) => named.has(name));
    if (isWhole || (isOwn && found.refused === true)) break;
  }
  return best;
}
