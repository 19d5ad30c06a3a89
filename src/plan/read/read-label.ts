/** Read label: reads labels that concern the plan or a wave as a whole: goal, status, checkpoint, review. */
import { bare, bareSpan, type Label, labelIn, saysNothing } from '../markdown/inline.ts';
import { marksIn } from './mark-place.ts';
import type { MarkdownLine } from '../markdown/markdown-lines.ts';
import { quote } from '../plan-fault.ts';
import { type PlanReader, sourceOf } from './plan-reader.ts';
import { isReviewOutcome, readReview, reviewerIn } from '../values/review.ts';
import { stateSpan, type WaveDraft } from './draft.ts';

const reviewLabel = /^(?:wave )?(?:\d+ )?review(?:er)?(?: tier)?$/;

/** False for any other line. */
export function readLabel(reader: PlanReader, line: MarkdownLine): boolean {
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
    } else return reviewLabel.test(label.name) && readReviewer(reader, wave, label, line);
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

/** Reads the tier or the name of the agent that reviews a wave. */
function readReviewer({ text, blame }: PlanReader, wave: WaveDraft, label: Label, line: MarkdownLine): boolean {
  const value = text.slice(label.value.at, label.value.end);
  if (value === '' || (line.kind === 'item' && line.box)) return false;
  const isTier = label.name.endsWith('tier');
  const places = saysNothing(value) ? [] : marksIn(text, label.value);
  if (places.length > 0 && !isTier) return false;
  const named = isTier ? undefined : reviewerIn(value);
  const isCertain = label.name.endsWith('reviewer');
  if (named && (isCertain || !/^[a-z]+$/i.test(named.agent))) {
    const { agent, tier } = named;
    wave.review ??= { reviewer: { agent, isCertain }, line: line.number, ...(tier && { tier }) };
    return true;
  }
  const review = readReview(value);
  const refuse = (why: string): void => {
    blame('bad-review', line.number, `wave ${wave.number} has the review ${quote(value)}; ${why}`);
  };
  if (review === 'none') refuse('every wave is reviewed');
  else if (review === 'unknown') {
    if (!isTier && isReviewOutcome(value)) return false;
    refuse('expected fast, standard or deep');
  } else if (wave.review && wave.review.tier !== review) refuse(`line ${wave.review.line} says otherwise`);
  else wave.review = { tier: review, line: line.number };
  return true;
}
