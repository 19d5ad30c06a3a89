/** Labels that speak of the plan or of a wave as a whole: goal, status, checkpoint. */
import { bare, bareSpan, labelIn, saysNothing } from './inline.ts';
import { marksIn } from './mark-place.ts';
import type { MarkdownLine } from './markdown-lines.ts';
import { type Reader, sourceOf } from './plan-reader.ts';
import { stateSpan } from './state-line.ts';

/** False where the line is none of them. */
export function readLabel(reader: Reader, line: MarkdownLine): boolean {
  const { plan, wave, text } = reader;
  if (line.kind !== 'item' && line.kind !== 'text') {
    reader.goalOpen = false;
    return false;
  }
  const label = labelIn(text, line.text);
  if (!label) {
    if (reader.goalOpen && line.kind === 'text') plan.goal.push(sourceOf(reader, line.text));
    return reader.goalOpen;
  }
  reader.goalOpen = false;
  const value = sourceOf(reader, label.value);
  if (wave) {
    if (/^(?:wave )?(?:\d+ )?(?:status|state)$/.test(label.name)) wave.marks.push(...marksIn(text, label.value));
    else if (label.name === 'checkpoint' && !saysNothing(value) && !/^(?:no|false)\b/i.test(bare(value))) {
      const why = /^(?:yes|true)$/i.test(bare(value)) ? '' : bare(value);
      plan.checkpoints.push({ afterWave: wave.number, why, line: line.number, marks: [] });
    } else return false;
    return true;
  }
  if (/^(?:goal|objective)$/.test(label.name) && plan.goal.length === 0) {
    reader.goalOpen = true;
    if (value !== '') plan.goal.push(value);
  } else if (/^(?:plan |swarm |current )?(?:status|state)$/.test(label.name) && value !== '') {
    plan.state ??= stateSpan(text, bareSpan(text, label.value));
  } else return reader.section.kind === 'top' && !(line.kind === 'item' && line.box);
  return true;
}
