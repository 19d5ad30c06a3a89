/** The public API. Names that are not exported here may change without notice. */
export type { Agent, OwnAgent } from './agents/agent.ts';
export { findProject } from './workspace/find-project.ts';
export { type WireFormat, wireFormats } from './contracts/wire/raw.ts';
export { builtInAgents } from './agents/built-in-agents.ts';
export { type Agents, agentsByName, findAgent } from './agents/registry.ts';
export {
  codeReviewer,
  reviewPr,
  silentFailureHunter,
  typeDesignAnalyzer,
} from './contracts/built-in/feature-reviews.ts';
export { codeSimplifier, tddTaskExecutor, todoDocGenerator } from './contracts/built-in/feature-work.ts';
export { structuredReturn } from './contracts/built-in/structured-return.ts';
export { architect, taskReview, waveReview } from './contracts/built-in/verdicts.ts';
export { workerReport } from './contracts/built-in/worker-report.ts';
export type { Condition } from './contracts/condition.ts';
export { type Action, actions, type Contract, defineContract, type Rule } from './contracts/contract.ts';
export { type ErrorCode, errorCodes, DivisiError } from './base/error.ts';
export {
  type Field,
  type Fields,
  type FieldType,
  type FieldValues,
  limits,
  type Presence,
  type Progress,
} from './contracts/field.ts';
export {
  type Deviation,
  type DeviationCode,
  deviationCodes,
  type Violation,
  type ViolationCode,
  violationCodes,
  violationText,
} from './contracts/finding.ts';
export { type DelegationId, delegationIdSchema, newDelegationId, type RunId } from './base/ids.ts';
export { contractSchema, type JsonSchema, jsonSchemaOf, resultJsonSchema } from './contracts/write/json-schema.ts';
export { readOwnContract } from './contracts/own/own-contract.ts';
export { normalPath, type PathFault, pathFault } from './base/paths.ts';
export { print, printValues } from './contracts/write/print.ts';
export { type PromptOptions, promptSuffix, repairMessage } from './contracts/write/prompt.ts';
export { read, type ReadOptions } from './contracts/read/read.ts';
export { type Redaction, redact } from './base/redact.ts';
export { actionFor, builtInContracts, type Contracts, contractsByName, findContract } from './contracts/registry.ts';
export { type Reading, type Result, type ResultOf, resultSchema, type Salvage } from './contracts/result.ts';
export { isResumable, type Status, statuses } from './contracts/status.ts';
export { estimateTokens, type TokenEstimate } from './base/tokens.ts';
export { type WorklogLine, worklogLineSchema } from './base/worklog.ts';
export { checkEvent, eventSchema, type NewEvent, type RunEvent } from './core/event/event.ts';
export type { PartialOutcome } from './core/event/make-outcome.ts';
export type { Outcome } from './core/event/outcome.ts';
export type { PlannedTask } from './core/event/planned-task.ts';
export type { Activity } from './core/attempt/activity.ts';
export type { RunState, WaveState } from './core/state/state.ts';
export type { TaskState } from './core/state/task-state.ts';
export { type Dispatch, dispatchPrompt } from './delegation/dispatch-prompt.ts';
export {
  checkAssignment,
  type Assignment,
  type AssignmentFault,
  type AssignmentReading,
  assignmentSchema,
  parseAssignment,
} from './delegation/assignment.ts';
export type { Note } from './engine/engine.ts';
export { type Ledger, type LedgerReader, openLedger } from './ledger/ledger.ts';
export type { RecordedEvent } from './ledger/read-events.ts';
export { loadPlan, parsePlan, type PlanReading } from './plan/parse-plan.ts';
export type { Dependency, Plan, PlanCheckpoint, PlanSettings, PlanTask, PlanWave } from './plan/plan.ts';
export type { PlanDocument } from './plan/plan-document.ts';
export type { PlanFault } from './plan/plan-fault.ts';
export { type PerformTask, runTasks, type TaskRunOptions } from './scheduler/begin/run-tasks.ts';
export type { CheckpointAnswer } from './core/decide/answer-events.ts';
export { answerRun, type NewRunOptions, resumeRun, type ResumeOptions, runPlan } from './runtime/runtime.ts';
export { type UpdatedRun, updateRun, type UpdateOptions } from './runtime/update-run.ts';
export { readLedger } from './project/project-ledger.ts';
export { type RunOptions } from './scheduler/agent-run.ts';
export type { GivenOptions } from './runtime/given-options.ts';
export { checkPathsOnDisk } from './reading/paths-on-disk.ts';
export { briefLine, type BriefOptions, briefXml, minimumBudget, taskBudget } from './views/brief/brief.ts';
export { type RunReport, runReport } from './views/run/run-report.ts';
export { loadAgents } from './workspace/own-agents.ts';
export { loadContracts } from './workspace/own-contracts.ts';
export { appendWorklog, readWorklog, type Worklog } from './workspace/worklog.ts';
