/** What each wire format's finder answers: the raw values of the one return it found in a text. */
import type { WireFormat } from './wire-format.ts';
import type { RawMap } from './raw.ts';

export interface Found {
  readonly wireFormat: WireFormat;
  readonly values: RawMap;
  /** The sections of a report's body by lower-cased heading; empty in every other format. */
  readonly sections: ReadonlyMap<string, string>;
  /** It was meant as the return and is refused as a whole, so that nothing else can be the return. */
  readonly refused?: boolean;
}

export const noSections: ReadonlyMap<string, string> = new Map();
