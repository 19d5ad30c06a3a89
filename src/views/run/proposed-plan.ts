/** A plan that an architect proposes, as a person sees it before they say yes: all of it, and what it would run. Its words are an agent's. Pure. */
import { flatten, oneLine } from '../../base/text.ts';
import { redact } from '../../base/redact.ts';
import { commandLine } from '../../plan/values/command-words.ts';
import { type ShownPlan, showPlanText } from './show-plan.ts';

export interface ProposedPlan {
  /** Relative to the project. */
  readonly file: string;
  /** Of the text that is shown: a yes is to this and to nothing else. */
  readonly hash: string;
  /** What its acceptance criteria run on this machine. */
  readonly commands: readonly (readonly string[])[];
  readonly risks: readonly string[];
  readonly plan: ShownPlan;
}

const mostRisks = 20;
const longestRisk = 300;

/** What stands under a heading about risks. */
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

/** Commands stand whole: what is not shown, nobody has seen. */
export function proposedText({ plan, risks, commands }: ProposedPlan): string {
  return [
    showPlanText(plan),
    ...(risks.length === 0 ? [] : ['', 'risks', ...risks.map((risk) => `  ${risk}`)]),
    '',
    commands.length === 0 ? 'no commands of its own' : 'commands of its own, run on this machine once you say yes',
    ...commands.map((argv) => `  ${flatten(commandLine(argv))}`),
  ].join('\n');
}
