/** Writes a turn's usage as its client itemises it. */

export interface Used {
  readonly input?: number | undefined;
  readonly cached?: number | undefined;
  readonly output?: number | undefined;
  readonly cost?: number | undefined;
}

/** Empty if nothing is known. */
export function turnUsageText({ input, cached, output, cost }: Used): string {
  const parts = [];
  if (input !== undefined) {
    parts.push(`${input} tokens in${cached === undefined || cached === 0 ? '' : ` (${cached} from the cache)`}`);
  }
  if (output !== undefined) parts.push(`${output} out`);
  if (cost !== undefined && cost > 0) parts.push(`$${cost.toFixed(4)}`);
  return parts.join(', ');
}
