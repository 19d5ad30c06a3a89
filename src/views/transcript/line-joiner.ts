/** Joins pieces of text to lines, in linear time. */

export interface LineJoiner {
  /** The lines completed by this piece. */
  add(piece: string): string[];
  /** The rest without a line break. */
  end(): string[];
}

const keyBegins = /-----BEGIN [A-Z\d ]{0,40}PRIVATE KEY/;
const keyEnds = /-----END /;

/**
 * Keeps at most `most` characters of a line. Drops the lines of a private key from the second to the last: taken alone, they do
 * not look like a secret.
 */
export function lineJoiner(most: number): LineJoiner {
  let line = '';
  let missing = 0;
  let inKey = false;

  function keep(text: string): void {
    const room = Math.max(0, most - line.length);
    line += text.slice(0, room);
    missing += Math.max(0, text.length - room);
  }

  function take(): string[] {
    const taken = missing === 0 ? line : `${line.toWellFormed()}… (${missing} more characters)`;
    line = '';
    missing = 0;
    if (inKey) {
      inKey = !keyEnds.test(taken);
      return [];
    }
    inKey = keyBegins.test(taken) && !keyEnds.test(taken);
    return [taken];
  }

  return {
    add(piece) {
      const lines: string[] = [];
      let from = 0;
      for (let at = piece.indexOf('\n'); at !== -1; at = piece.indexOf('\n', from)) {
        keep(piece.slice(from, piece.charAt(at - 1) === '\r' ? Math.max(from, at - 1) : at));
        lines.push(...take());
        from = at + 1;
      }
      keep(piece.slice(from));
      return lines;
    },
    end() {
      const lines = line === '' ? [] : take();
      inKey = false;
      return lines;
    },
  };
}
