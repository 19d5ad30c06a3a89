/** `--record FILE`: records a run as a scenario for the scripted driver. */
import { findAgent } from '../../agents/registry.ts';
import type { Contract } from '../../contracts/contract.ts';
import { read } from '../../contracts/read/read.ts';
import type { Driver, DriverTask } from '../../drivers/driver.ts';
import { readTurnOutput, turnOutputFile } from '../../drivers/turn-output.ts';
import { printScenario } from '../../drivers/scripted/print-scenario.ts';
import { recordingDriver, startRecording } from '../../drivers/scripted/recording-driver.ts';
import { writeAtomically } from '../../workspace/atomic-file.ts';
import { loadAgents } from '../../workspace/own-agents.ts';
import { loadContracts } from '../../workspace/own-contracts.ts';

export interface Recorder {
  readonly through: (driver: Driver) => Driver;
  write(): Promise<void>;
}

/** Files touched according to a return or its repairs; the scenario writes their content. */
async function claimedFiles(contract: Contract | undefined, { outputFile }: DriverTask): Promise<string[]> {
  if (contract === undefined) return [];
  const said = await Promise.all([0, 1, 2].map((repair) => readTurnOutput(turnOutputFile(outputFile, repair))));
  return said.flatMap((text) => {
    const reading = read(contract, text);
    const { filesTouched = [] } = reading.ok ? reading.result : reading.salvaged.result;
    return filesTouched.filter(({ action }) => action !== 'delete').map(({ path }) => path);
  });
}

export async function recordScenario(project: string, file: string): Promise<Recorder> {
  const recording = startRecording();
  const contracts = await loadContracts(project);
  const agents = await loadAgents(project, contracts);
  const files = (task: DriverTask): Promise<string[]> =>
    claimedFiles(contracts.get(findAgent(agents, task.agent).contract), task);
  return {
    through: (driver) => recordingDriver(driver, recording, { files }),
    write: async () => {
      await writeAtomically(file, printScenario(recording.scenario()));
    },
  };
}
