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

/** Leaves colours out by itself where the person or the terminal does not want them. */
export const paint: Paint = (tone, text) =>
  text === '' || tone === 'plain' ? text : styleText(styles[tone], text, { stream: process.stdout });
