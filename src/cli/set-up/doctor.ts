/** `divisi doctor`: checks whether runs will work here and says how to fix what will not. */
import { readProcess } from '../../process/process-stat.ts';
import { columns } from '../../views/text/columns.ts';
import { oneLine } from '../../base/text.ts';
import { existingWork } from './existing-work.ts';
import { type Check, ok, warning } from './doctor-check.ts';
import { confinementCheck } from './doctor-confinement.ts';
import { hookChecks } from './doctor-hooks.ts';
import { nodeCheck } from './doctor-node.ts';
import { programChecks } from './doctor-programs.ts';
import { diskCheck, fileChecks, folderCheck, gitChecks } from './doctor-project.ts';
import { roomChecks } from './doctor-rooms.ts';
import { type Answer, exitCodes } from '../output.ts';

export async function doctor(project: string): Promise<Answer> {
  const around = { project, environment: process.env };
  const files = await fileChecks(around);
  const known = { specs: files.config?.specs, agents: files.agents };
  const [git, rooms, confinement, folder, disk, existing, programs, hooks] = await Promise.all([
    gitChecks(around),
    roomChecks(around, files.config),
    confinementCheck(around),
    folderCheck(around),
    diskCheck(around),
    existingWork(project, known),
    programChecks(around, files.config, files.agents),
    hookChecks(around),
  ]);
  const checks = [
    nodeCheck(process.versions.node),
    ...git,
    // Without a usable git, one problem is enough.
    ...(git.some(({ status }) => status === 'problem') ? [] : rooms),
    ...confinement,
    ...folder,
    ...disk,
    reapCheck(),
    ...files.checks,
    ...existing.map(({ path, use }) => ok(path, oneLine(use, 300))),
    ...programs,
    ...hooks,
  ];
  const problems = checks.filter(({ status }) => status === 'problem').length;
  const end = problems === 0 ? 'ready to run' : `${problems} ${problems === 1 ? 'problem' : 'problems'}`;
  return {
    code: problems === 0 ? exitCodes.completed : exitCodes.failed,
    json: { ok: problems === 0, checks },
    text: [...checkLines(checks), '', end].join('\n'),
  };
}

/** The fix is printed below the finding. */
export function checkLines(checks: readonly Check[]): string[] {
  const lines = columns(checks.map(({ status, name, found }) => [status, name, found]));
  return checks.flatMap(({ next }, at) => [lines[at] ?? '', ...(next === null ? [] : [`         ${next}`])]);
}

/** Leftover processes are found by their environment, which only Linux exposes. */
function reapCheck(): Check {
  if (readProcess(process.pid, 'environ') !== null)
    return ok('processes', 'processes left by a crash can be found and ended');
  return warning(
    'processes',
    'the environment of processes cannot be read here, so processes left by a crash are not found',
    'After a crash, end leftover agents yourself; everything else works.',
  );
}
