/** A task of a plan that names no tier has that of its agent, where the agent has one. */
import { type Agents, findAgent } from '../../agents/registry.ts';
import type { Plan, PlanTask, PlanWave } from '../../plan/plan.ts';
import { defaultAgent } from './plan-events.ts';

/** Done wherever a plan is read for a run, so that what is compared has been read alike. */
export function withTiers(plan: Plan, agents: Agents): Plan {
  const ofTask = (task: PlanTask): PlanTask => {
    const tier = task.tier ?? findAgent(agents, task.agent ?? defaultAgent).tier;
    return tier === task.tier || tier === undefined ? task : { ...task, tier };
  };
  const ofWave = (wave: PlanWave): PlanWave => ({ ...wave, tasks: wave.tasks.map(ofTask) });
  return { ...plan, waves: plan.waves.map(ofWave) };
}
