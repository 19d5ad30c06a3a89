/** Proposed plan: renders an architect's plan, its risks and its commands for approval. Its words are an agent's. Pure. */
import { flatten, oneLine } from '../../base/text.ts';
import { redact } from '../../base/redact.ts';
import { commandLine } from '../../plan/values/command-words.ts';
import { type ShownPlan, showPlanText } from './show-plan.ts';

export interface ProposedPlan {
  /** Relative to the project. */
  readonly file: string;
  /** Hash of the shown text: an approval covers nothing else. */
  readonly hash: string;
  /** Commands that its acceptance criteria run on this machine. */
  readonly commands: readonly (readonly string[])[];
  readonly risks: readonly string[];
  readonly plan: ShownPlan;
}

const mostRisks = 20;
const longestRisk = 300;

/** The lines under a heading about risks. */
export function risksIn(text: string): string[] {
  const risks: string[] = [];
  let isInside = false;
  for (const line of redact(text).text.split(/\r\n|\n|\r/)) {
    if (line.startsWith('#')) {
      isInside = /^#{1,6} (?:[\p{L}\p{N}.]{1,20} ){0,3}risks?\b/iu.test(line.slice(0, 200));
      continue;
    }
    const words = oneLine(line.slice(0, 2000).replace(/^\s{0,8}(?:[-*+]|\d{1,3}[.)])\s/, ''), longestRisk);
    if (isInside && words !== '') risks.push(words);
    if (risks.length === mostRisks) break;
  }
  return risks;
}

/** Commands are shown uncut: an approval covers only what was shown. */
export function proposedText({ plan, risks, commands }: ProposedPlan): string {
  return [
    showPlanText(plan),
    ...(risks.length === 0 ? [] : ['', 'risks', ...risks.map((risk) => `  ${risk}`)]),
    '',
    commands.length === 0 ? 'the plan runs no commands' : 'commands the plan runs on this machine once you approve',
    ...commands.map((argv) => `  ${flatten(commandLine(argv))}`),
  ].join('\n');
}
