/** Own contract file: the schema of `.divisi/contracts/*.yaml`. */
import * as z from 'zod/mini';
import { wireFormats } from '../wire/raw.ts';
import { conditionSchema } from '../condition.ts';
import { actions } from '../contract.ts';
import { type Feed, feeds, type Slot } from '../field.ts';
import { statuses } from '../status.ts';

/** The parts of the envelope that one field of a simple type can be. */
const ownSlots = ['status', 'summary', 'notes', 'next-steps'] as const satisfies readonly Slot[];

const types = ['text', 'path', 'status', 'flag', 'number', 'choice', 'progress', 'list', 'record'] as const;

/** Every object inherits `constructor`. */
const fieldName = z
  .string()
  .check(
    z.regex(
      /^(?!constructor$)[a-z][a-z0-9_]*$/,
      'expected a lower-case field name with underscores, other than constructor',
    ),
  );

export interface FieldFile {
  readonly type: (typeof types)[number];
  readonly about?: string | undefined;
  readonly of?: string | readonly string[] | FieldFile | undefined;
  readonly fields?: Readonly<Record<string, FieldFile>> | undefined;
  readonly required?: boolean | 'or-none' | undefined;
  readonly is?: (typeof ownSlots)[number] | undefined;
  readonly feeds?: Feed | undefined;
  readonly section?: string | undefined;
  readonly [option: string]: unknown;
}

const fieldFileSchema: z.ZodMiniType<FieldFile> = z.lazy(() =>
  z.strictObject({
    type: z.enum(types),
    about: z.optional(z.string()),
    of: z.optional(
      z.union(
        [z.string(), z.array(z.string()).check(z.minLength(1)), fieldFileSchema],
        'a type, a list of words, or a field definition',
      ),
    ),
    fields: z.optional(z.record(fieldName, fieldFileSchema)),
    required: z.optional(z.union([z.boolean(), z.literal('or-none')], 'true, false or or-none')),
    min: z.optional(z.number()),
    max: z.optional(z.number()),
    integer: z.optional(z.boolean()),
    max_length: z.optional(z.int().check(z.positive())),
    aliases: z.optional(z.record(z.string(), z.string())),
    is: z.optional(z.enum(ownSlots)),
    feeds: z.optional(z.enum(feeds)),
    section: z.optional(z.string()),
  }),
);

export const contractFileSchema = z.strictObject({
  name: z.string().check(z.regex(/^[a-z][a-z0-9-]*$/, 'expected a lower-case name with dashes')),
  version: z._default(z.int().check(z.positive()), 1),
  purpose: z.string().check(z.minLength(1)),
  format: z.enum(wireFormats),
  fields: z.record(fieldName, fieldFileSchema),
  line: z.optional(z.array(z.string())),
  role: z.optional(z.string()),
  status: z._default(z.array(z.strictObject({ when: conditionSchema, status: z.enum(statuses) })), []),
  summary: z.optional(z.string()),
  rules: z._default(
    z.array(z.strictObject({ when: z.optional(conditionSchema), then: conditionSchema, because: z.string() })),
    [],
  ),
  actions: z._default(z.array(z.strictObject({ when: conditionSchema, action: z.enum(actions) })), []),
  example: z.record(z.string(), z.unknown()),
});

export type ContractFile = z.infer<typeof contractFileSchema>;
