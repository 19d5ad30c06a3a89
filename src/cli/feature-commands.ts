/** `divisi feature`: what it is called, what it takes. */
import type { Command } from 'commander';
import { answer, command } from './define-command.ts';
import type { FeatureCommandOptions } from './run/feature.ts';

const whatToBuild =
  '\nWHAT is names between commas, a numbered list, one feature in your own words, a file (.md, .txt) with any of these, or - for standard input.\nEach feature is described, then built phase by phase: tests first, a review, the extras, a last look. .divisi/MASTER.md shows how far they are.\n\nExit codes: 0 completed, 1 some feature is halted, 2 usage, 3 paused, 4 cancelled, 5 paused until you have answered.\n`divisi resume` goes on where it stopped.\n';

export function addFeatures(program: Command): void {
  command(
    program,
    'feature <what...>',
    'build features, each phase by phase, with reviews',
    'divisi feature "auth, payments, dashboard"',
  )
    .option('--extras <names>', 'who looks at a phase besides its reviews, between commas; the config is the default')
    .option('--mode <mode>', 'default: wait for your answers; auto: wait only for trouble')
    .option('--concurrency <n>', 'how many steps may run at the same time')
    .option('--driver <name>', 'the driver that runs the agents')
    .addHelpText('after', whatToBuild)
    .action(async (what: string[], options: FeatureCommandOptions) =>
      answer(options, async (project) => (await import('./run/feature.ts')).feature(project, what, options)),
    );
}
