/**
 * Condition fault: checks a condition of a contract file against the fields it names. A test that can never hold would be
 * ignored silently: `reversible: no` is text, not a flag.
 */
import type { Condition, Test } from '../condition.ts';
import type { Fields, FieldType } from '../field.ts';
import { expectation } from '../read/read-scalar.ts';
import { statuses } from '../status.ts';

type Literal = Exclude<Test, object>;

function canBe(type: FieldType, literal: Literal): boolean {
  switch (type.type) {
    case 'flag':
      return typeof literal === 'boolean';
    case 'number':
      return typeof literal === 'number';
    case 'choice':
      return type.of.some((word) => word === literal);
    case 'status':
      return statuses.some((status) => status === literal);
    case 'text':
    case 'path':
    case 'id':
      return typeof literal === 'string';
    case 'progress':
    case 'list':
    case 'record':
      return false;
    default:
      return type satisfies never;
  }
}

function testFault(test: Test, type: FieldType): string | undefined {
  if (typeof test === 'object' && 'empty' in test) return undefined;
  if (typeof test === 'object' && 'above' in test)
    return type.type === 'number' ? undefined : 'above only applies to numbers';
  if (typeof test === 'object' && 'every' in test) {
    const hasRecords = type.type === 'list' && type.of.type === 'record';
    return hasRecords ? conditionFault(test.every, type.of.fields) : 'every only applies to lists of records';
  }
  const literal = typeof test === 'object' ? test.not : test;
  return canBe(type, literal) ? undefined : `${expectation(type)}, never ${String(literal)}`;
}

export function conditionFault(condition: Condition, fields: Fields): string | undefined {
  for (const [name, test] of Object.entries(condition)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined) return `unknown field ${name}`;
    const fault = testFault(test, field);
    if (fault !== undefined) return `${name}: ${fault}`;
  }
  return undefined;
}
