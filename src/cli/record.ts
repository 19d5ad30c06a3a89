/** `--record FILE`: keeps what the agents did as a scenario that the scripted driver plays again. */
import { findAgent } from '../agents/built-in-agents.ts';
import { read } from '../contracts/read.ts';
import { builtInContracts } from '../contracts/registry.ts';
import type { Driver, DriverTask } from '../drivers/driver.ts';
import { readSaid, saidFile } from '../drivers/said.ts';
import { printScenario } from '../drivers/scripted/print-scenario.ts';
import { recordingDriver, startRecording } from '../drivers/scripted/recording-driver.ts';
import { writeAtomically } from '../workspace/atomic-file.ts';

export interface Recorder {
  readonly through: (driver: Driver) => Driver;
  write(): Promise<void>;
}

/** The files that a return says it touched, or its repairs do: their content is what the scenario writes. */
async function claimedFiles({ agent, outputFile }: DriverTask): Promise<string[]> {
  const name = findAgent(agent).contract;
  const contract = builtInContracts.find((candidate) => candidate.name === name);
  if (contract === undefined) return [];
  const said = await Promise.all([0, 1, 2].map((repair) => readSaid(saidFile(outputFile, repair))));
  return said.flatMap((text) => {
    const reading = read(contract, text);
    const { filesTouched = [] } = reading.ok ? reading.result : reading.salvaged.result;
    return filesTouched.filter(({ action }) => action !== 'delete').map(({ path }) => path);
  });
}

export function record(file: string): Recorder {
  const recording = startRecording();
  return {
    through: (driver) => recordingDriver(driver, recording, { files: claimedFiles }),
    write: async () => {
      await writeAtomically(file, printScenario(recording.scenario()));
    },
  };
}
