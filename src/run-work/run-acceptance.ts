/** Runs acceptance commands in a room, within the run's limit, and reads from their output what they say about their failure. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defined } from '../base/defined.ts';
import type { WorkspaceFacts } from '../core/event/verification.ts';
import { type LoadedFiles, watchLoadedFiles } from '../process/loaded-files.ts';
import type { Marker } from '../process/marker.ts';
import { readTail } from '../process/output-file.ts';
import { errorLines } from '../verify/error-lines.ts';
import { type FailedCommand, missingFiles, missingPart } from '../verify/missing-part.ts';
import { checkoutFile, filesNamedIn } from '../verify/outside-files.ts';
import type { RanCheck } from '../verify/run-check.ts';
import type { CommandSpec } from '../verify/run-command.ts';
import { ignoredPaths } from '../workspace/git/look-up.ts';
import type { Repository } from '../workspace/git/repository.ts';
import { defaultChecks, limitChecks } from './limit-checks.ts';

export interface RunRequest {
  readonly argv: readonly string[];
  readonly directory: string;
  readonly marker: Marker;
  /** Relative to the project. */
  readonly output: string;
  readonly watch?: CommandSpec['watch'];
  readonly purpose?: CommandSpec['purpose'];
}

export type RunAcceptance = (request: RunRequest, signal: AbortSignal) => Promise<RanCheck>;

interface AcceptanceDeps {
  /** Absolute. */
  readonly project: string;
  readonly repository: Repository;
  /** As they are now. */
  readonly facts: () => WorkspaceFacts;
  readonly run: (request: RunRequest, signal: AbortSignal) => Promise<RanCheck['ran']>;
}

/** Bytes from the end of an output in which errors are looked for. */
const mostRead = 1024 * 1024;

export function acceptanceRunner({ project, repository, facts, run }: AcceptanceDeps): RunAcceptance {
  const limited = limitChecks(() => facts().checks ?? defaultChecks());
  return (request, signal) =>
    limited(async () => {
      const place = { top: repository.top, facts: facts() };
      const isWanted = checkoutFile(place);
      let loaded: LoadedFiles | undefined;
      const watch = (pid: number): LoadedFiles => (loaded = watchLoadedFiles(pid, isWanted));
      const ran = await run({ ...request, watch }, signal);
      const output = await readTail(join(project, request.output), mostRead);
      const { argv, directory } = request;
      const outside = new Set([...(loaded?.seen ?? []), ...filesNamedIn(output, place)]);
      const inCheckout = [...outside].slice(0, mostOutside).map((path) => path.slice(repository.top.length + 1));
      if (ran.ok) return { ran, errors: [], outside: inCheckout };
      const failed = { argv, end: ran.end, output, folder: directory };
      const missing = missingPart(failed) ?? (await missingBuild(repository, failed));
      return { ran, errors: errorLines(output, directory), directory, outside: inCheckout, ...defined({ missing }) };
    }, signal);
}

/** A missing file that no commit can bring: one that git ignores comes from a build, one in an empty folder from a submodule. */
async function missingBuild(repository: Repository, failed: FailedCommand): Promise<string | undefined> {
  const files = missingFiles(failed);
  const ignored = files.length === 0 ? new Set() : await ignoredPaths(repository, repository.top, files);
  return files.find((file) => ignored.has(file) || isInEmptyFolder(join(failed.folder, file)));
}

function isInEmptyFolder(file: string): boolean {
  let folder = dirname(file);
  while (!existsSync(folder)) folder = dirname(folder);
  return statSync(folder).isDirectory() && readdirSync(folder).length === 0;
}

const mostOutside = 20;
