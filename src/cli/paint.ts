/** Colours for standard output. */
import { styleText } from 'node:util';
import type { Paint, Tone } from '../views/live/live-look.ts';

const styles: Readonly<Record<Tone, Parameters<typeof styleText>[0]>> = {
  plain: [],
  strong: 'bold',
  quiet: 'dim',
  good: 'green',
  bad: 'red',
  busy: 'cyan',
  call: ['bold', 'yellow'],
};

/** Without colours where the terminal or NO_COLOR says so. */
export const paint: Paint = (tone, text) =>
  text === '' || tone === 'plain' ? text : styleText(styles[tone], text, { stream: process.stdout });
