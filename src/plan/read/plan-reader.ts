/** Plan reader: the state of reading a plan line by line. Opens sections and records mentions of tasks. */
import type { CheckpointDraft } from './checkpoints.ts';
import type { Columns, TaskDraft, WaveDraft } from './draft.ts';
import type { HeadingKind } from './heading-kind.ts';
import type { AuditPlace, DeferredItem, GrowingPlace } from '../plan-document.ts';
import type { Blame } from '../plan-fault.ts';
import type { PlanSettings } from '../plan.ts';
import { type SettingsDraft, settingsDraft } from '../values/settings.ts';
import type { Span } from '../markdown/span.ts';
import type { Details } from './task-details.ts';

export interface PlanDraft {
  title: string | undefined;
  readonly goal: string[];
  /** The first paragraph, for a plan without a goal. */
  readonly opening: string[];
  readonly settings: PlanSettings;
  readonly settingLines: SettingsDraft['lines'];
  readonly checkpoints: CheckpointDraft[];
  readonly waves: Map<number, WaveDraft>;
  /** Tasks outside any wave: all of them, in a plan without waves. */
  readonly loose: WaveDraft;
  state: Span | undefined;
  log: GrowingPlace | undefined;
  /** By the number of their wave; 0 for the section outside of waves. */
  readonly audits: Map<number, AuditPlace>;
  files: (GrowingPlace & { readonly paths: Set<string> }) | undefined;
  deferred: (GrowingPlace & { readonly items: DeferredItem[] }) | undefined;
  closing: string | undefined;
}

export type SectionKind = HeadingKind['kind'] | 'top';

/** The state of the reading. */
export interface PlanReader {
  readonly text: string;
  readonly blame: Blame;
  readonly plan: PlanDraft;
  readonly addSetting: SettingsDraft['add'];
  section: { readonly kind: SectionKind; readonly level: number };
  wave: WaveDraft | undefined;
  details: Details | undefined;
  columns: Columns | undefined;
  /** The checkpoint that owns this section. */
  checkpoint: CheckpointDraft | undefined;
  /** The list depth of the last checkpoint; deeper lines belong to it. */
  checkpointColumn: number | undefined;
  part: number;
  /** A goal after a label continues to the end of its paragraph. */
  goalOpen: boolean;
}

export function planReader(text: string, blame: Blame): PlanReader {
  const { settings, lines, add } = settingsDraft(blame);
  const loose: WaveDraft = { number: 0, title: '', line: 1, level: 0, marks: [], mentions: [], isRefused: false };
  const plan: PlanDraft = {
    title: undefined,
    goal: [],
    opening: [],
    settings,
    settingLines: lines,
    checkpoints: [],
    waves: new Map(),
    loose,
    state: undefined,
    log: undefined,
    audits: new Map(),
    files: undefined,
    deferred: undefined,
    closing: undefined,
  };
  return {
    text,
    blame,
    plan,
    addSetting: add,
    section: { kind: 'top', level: 0 },
    wave: undefined,
    details: undefined,
    columns: undefined,
    checkpoint: undefined,
    checkpointColumn: undefined,
    part: 0,
    goalOpen: false,
  };
}

export const sourceOf = (reader: PlanReader, { at, end }: Span): string => reader.text.slice(at, end);

export function openSection(reader: PlanReader, kind: SectionKind, level: number): void {
  reader.section = { kind, level };
  reader.details = reader.columns = reader.checkpoint = reader.checkpointColumn = undefined;
  reader.goalOpen = false;
  reader.part += 1;
}

/** The first section of a wave about its review, and the first outside of waves, grow with the reviews. */
export function openAudit({ plan, wave }: PlanReader, at: number): void {
  const number = wave?.number ?? 0;
  if (!plan.audits.has(number)) plan.audits.set(number, { at, from: at, after: 'heading' });
}

export function mention(
  reader: PlanReader,
  { id, line, source }: Pick<TaskDraft, 'id' | 'line' | 'source'>,
): TaskDraft {
  const draft: TaskDraft = { id, line, source, part: reader.part, fields: {}, marks: [], reports: [], body: [] };
  (reader.wave ?? reader.plan.loose).mentions.push(draft);
  return draft;
}
