/**
 * Normalise: removes the byte order mark, unifies line ends, and replaces NUL and half characters. Does not copy a text that
 * is already normal.
 */
import type { Findings } from '../finding.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Counts through a small buffer: encoding megabytes only to count them takes ten times as long. */
export function byteLength(text: string): number {
  const buffer = new Uint8Array(16 * 1024);
  let bytes = 0;
  for (let at = 0; at < text.length;) {
    const { read, written } = encoder.encodeInto(text.slice(at), buffer);
    bytes += written;
    at += read;
  }
  return bytes;
}

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Works byte by byte: one match of a pattern costs more than ten bytes here. */
function rewritten(text: string): string {
  const from = encoder.encode(text);
  // In place, unless a NUL has to grow to the three bytes of U+FFFD.
  const to = text.includes('\0') ? new Uint8Array(from.length * 3) : from;
  let length = 0;
  let before = 0;
  for (let at = 0; at < from.length; at += 1) {
    const byte = from[at] as number;
    if (byte === 0) {
      to[length] = 0xef;
      to[length + 1] = 0xbf;
      to[length + 2] = 0xbd;
      length += 3;
    } else if (byte !== NEWLINE || before !== CARRIAGE_RETURN) {
      to[length] = byte === CARRIAGE_RETURN ? NEWLINE : byte;
      length += 1;
    }
    before = byte;
  }
  return decoder.decode(to.subarray(0, length));
}

export function normalise(text: string, findings: Findings): string {
  const marked = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const clean = marked.toWellFormed();
  const hasNul = clean.includes('\0');
  if (hasNul || clean !== marked) findings.deviate('characters-replaced', '', 'NUL or half a character');
  return hasNul || clean.includes('\r') ? rewritten(clean) : clean;
}
