/** `divisi packet check|prompt [FILE|-]` */
import { checkAgents, findAgent } from '../../agents/registry.ts';
import { flatten } from '../../base/flatten.ts';
import { findContract } from '../../contracts/registry.ts';
import type { ReturnWay } from '../../contracts/return-way.ts';
import { dispatchPrompt } from '../../delegation/dispatch-prompt.ts';
import { checkPacket, type PacketReading } from '../../delegation/packet.ts';
import { loadAgents } from '../../workspace/own-agents.ts';
import { loadContracts } from '../../workspace/own-contracts.ts';
import { readInput } from '../input.ts';
import { type Answer, exitCodes } from '../output.ts';

async function readPacket(file: string): Promise<PacketReading> {
  const text = await readInput(file);
  try {
    return checkPacket(JSON.parse(text));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { ok: false, faults: [{ path: '', expected: `one JSON object (${error.message})` }] };
  }
}

function invalid({ faults }: Extract<PacketReading, { ok: false }>): Answer {
  const lines = faults.map(({ path, expected }) => `  ${flatten(`${path === '' ? 'the packet' : path}: ${expected}`)}`);
  return { code: exitCodes.violations, json: { ok: false, faults }, text: ['not valid:', ...lines].join('\n') };
}

export async function packetCheck(file: string): Promise<Answer> {
  const reading = await readPacket(file);
  if (!reading.ok) return invalid(reading);
  const { packet } = reading;
  const text = `valid: task ${flatten(packet.task.id)} for ${flatten(packet.agent)} under ${flatten(packet.contract)}`;
  return { code: exitCodes.valid, json: { ok: true, packet }, text };
}

export async function packetPrompt(project: string, file: string, by: ReturnWay = 'message'): Promise<Answer> {
  const reading = await readPacket(file);
  if (!reading.ok) return invalid(reading);
  const { packet } = reading;
  const contracts = await loadContracts(project);
  const contract = findContract(contracts, packet.contract);
  const agents = await loadAgents(project, contracts);
  checkAgents(agents, [packet.agent]);
  const prompt = dispatchPrompt({ packet, instructions: findAgent(agents, packet.agent).instructions, contract, by });
  return {
    code: exitCodes.valid,
    json: { ok: true, agent: packet.agent, contract: contract.name, prompt },
    text: prompt,
  };
}
