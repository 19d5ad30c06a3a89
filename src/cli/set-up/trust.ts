/** `divisi trust`: shows what the project can execute, and records or takes back a person's yes to it. */
import { divisiError } from '../../base/error.ts';
import { flatten } from '../../base/text.ts';
import { executablesText } from '../../project/trust/trust-text.ts';
import { type ProjectTrust, recordTrust, requireTrust, revokeTrust, trustOf } from '../../project/trust/trust.ts';
import { askForTrust } from '../ask-for-trust.ts';
import { isTerminal } from '../ask.ts';
import type { JsonOption } from '../define-command.ts';
import { type Answer, exitCodes } from '../output.ts';

export interface TrustOptions extends JsonOption {
  readonly yes?: boolean;
  readonly show?: boolean;
  readonly revoke?: boolean;
  readonly paths?: boolean;
}

export async function trust(project: string, options: TrustOptions): Promise<Answer> {
  refuseTwo(options);
  const place = { project, environment: process.env };
  if (options.revoke === true) {
    const isKnown = revokeTrust(place);
    return done(
      { revoked: isKnown },
      isKnown ? 'the yes to this project is taken back' : 'there was no yes to take back',
    );
  }
  const found = trustOf(place);
  const { executables, hash, isTrusted } = found;
  const facts = { hash, trusted: isTrusted, executables };
  if (options.paths === true) return done(facts, executables.map(({ path }) => flatten(path)).join('\n'));
  if (options.show === true) return done(facts, shown(found));
  if (hash === '') return done(facts, nothing);
  if (options.yes === true) {
    await recordTrust(place, found);
    return done({ ...facts, trusted: true }, `${executablesText(found)}\nThis project may execute that, as it is now.`);
  }
  if (!isTrusted && (options.json === true || !isTerminal())) requireTrust(place);
  if (await askForTrust(project))
    return done({ ...facts, trusted: true }, 'This project may execute that, as it is now.');
  return { code: exitCodes.usage, json: facts, text: 'nothing was recorded' };
}

const nothing = 'This project brings nothing that can execute.';

function shown({ executables, hash, isTrusted }: ProjectTrust): string {
  if (hash === '') return nothing;
  const yes = isTrusted ? 'a person has said yes to it' : 'nobody has said yes to it yet: `divisi trust`';
  return `${executablesText({ executables })}\nhash ${hash}: ${yes}`;
}

const done = (json: unknown, text: string): Answer => ({ code: exitCodes.completed, json, text });

function refuseTwo({ yes, show, revoke, paths }: TrustOptions): void {
  if ([yes, show, revoke, paths].filter((one) => one === true).length <= 1) return;
  throw divisiError('USAGE', {
    message: '--yes, --show, --revoke and --paths exclude each other',
    next: 'Give one of them, or none to be asked.',
  });
}
