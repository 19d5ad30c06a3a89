/** A project whose config has its own agents: a plan that a model names brings none along. */
import { gitProject } from '../../support/committed-project.ts';
import { planText, type SampleProject } from '../../support/project.ts';
import type { Files } from '../../support/temporary-folder.ts';

const words = (...argv: readonly string[]): string => JSON.stringify(argv);

const config = `grace: 1
driver: own
drivers:
  own:
    kind: command
    argv: ${words(process.execPath, 'worker.mjs')}
    review: ${words('sh', 'review.sh', process.execPath)}
`;

export function ownAgentsProject(
  folder: (files?: Files) => string,
  { files = {}, ...sample }: SampleProject = {},
): string {
  const plan = planText(sample).replaceAll(/^- (?:Command|Repair|Review): .*\n/gm, '');
  return gitProject(folder, { ...sample, files: { 'plan.md': plan, '.divisi/config.yaml': config, ...files } });
}
