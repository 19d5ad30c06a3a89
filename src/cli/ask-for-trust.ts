/** Shows what a project can execute and asks the person at the terminal whether it may. */
import { executablesText } from '../project/trust/trust-text.ts';
import { type ProjectTrust, recordTrust, trustOf } from '../project/trust/trust.ts';
import { ask } from './ask.ts';

/** Records a yes; nothing is written otherwise. Answers whether the project is trusted now. */
export async function askForTrust(project: string): Promise<boolean> {
  const place = { project, environment: process.env };
  const trust = trustOf(place);
  if (trust.isTrusted) return true;
  const choices = ['yes, it may: I have looked at this'];
  const isYes = (await ask({ about: trustQuestion(trust), choices })) === 0;
  if (isYes) await recordTrust(place, trust);
  return isYes;
}

function trustQuestion(trust: ProjectTrust): string {
  const isKnown = trust.executables.some(({ seen }) => seen !== 'new');
  const head = isKnown ? 'What this project can execute has changed:' : 'This project brings files that can execute:';
  return `${head}\n${executablesText(trust)}\nMay it?`;
}
