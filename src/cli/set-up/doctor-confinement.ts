/** `divisi doctor`: checks whether agents are confined to their rooms. */
import { confinementStatus } from '../../workspace/confine/confinement-status.ts';
import type { SearchPlace } from './agent-programs.ts';
import { type Check, looking, ok, warning } from './doctor-check.ts';

const what = {
  files: 'agents and commands change their room and nothing else, and do not see your secrets',
  'files+network': 'agents and commands change their room and nothing else, and reach only the hosts you allow',
  off: '',
};

export async function confinementCheck({ project, environment }: SearchPlace): Promise<readonly Check[]> {
  return looking('confinement', async () => {
    const { mode, fault, fix = '' } = await confinementStatus(project, environment);
    if (fault === undefined) return ok('confinement', `${mode}: ${what[mode]}`);
    return warning('confinement', `agents can read and change everything that you can: ${fault}`, fix);
  });
}
