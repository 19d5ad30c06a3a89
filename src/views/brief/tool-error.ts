/** Tool error: renders an error as a tool's answer: what is wrong and what to do, within a budget. Pure. */
import type { DivisiError } from '../../base/error.ts';
import { redactedLine } from '../../base/text.ts';
import { fit } from '../text/escape.ts';
import { plainText } from './brief-text.ts';

export const errorBudget = 600;
const longestNext = 250;
const longestExpected = 200;

type ErrorWords = Pick<DivisiError, 'code' | 'message' | 'next'> & Partial<Pick<DivisiError, 'expected'>>;

/** Joins the lines of a message with ` / `. */
export function toolError({ code, message, expected, next }: ErrorWords): string {
  const wanted = expected === undefined ? '' : `\nexpected: ${plainText(expected, longestExpected)}`;
  const after = `${wanted}\nnext: ${plainText(next, longestNext)}`;
  const before = `${code}: `;
  const words = message
    .split('\n')
    .map((line) => redactedLine(line))
    .join(' / ');
  return `${before}${fit(words, errorBudget - before.length - after.length, (text) => text)}${after}`;
}
