/** Shell syntax: finds syntax that only a shell understands. Commands run without one, so it would reach the program literally. */

const assignment = /^[A-Za-z_][A-Za-z0-9_]*=/;
const expansion = /^\$(?:[A-Za-z_][A-Za-z0-9_]{0,40}|[0-9({@*#?!$])/;
const operators = ['&&', '||', '>>', '&', '|', '>', '<', ';', '`', '*'];

/** The first piece of shell syntax; undefined if there is none. Ignores quoted and escaped text. */
export function shellSyntax(line: string): string | undefined {
  const text = line.trim();
  const first = assignment.exec(text)?.[0] ?? (/^!\s/.test(text) ? '!' : undefined);
  if (first !== undefined) return first;
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '\\' && quote !== "'") at += 1;
    else if (character === quote) quote = '';
    else if (quote === '' && (character === '"' || character === "'")) quote = character;
    else {
      const found = quote === "'" ? undefined : quote === '"' ? expanded(text, at) : meaningful(text, at);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Variables and commands are expanded inside double quotes too. */
function expanded(text: string, at: number): string | undefined {
  return text[at] === '`' ? '`' : expansion.exec(text.slice(at, at + 50))?.[0];
}

function meaningful(text: string, at: number): string | undefined {
  const operator = operators.find((one) => text.startsWith(one, at));
  if (operator !== undefined) return operator;
  if (text[at] === '$') return expanded(text, at);
  if (text[at] === '{') return choices(text, at);
  const isFirst = at === 0 || /\s/.test(text.charAt(at - 1));
  if (!isFirst) return undefined;
  if (text[at] === '~') return /^~(?:[\s/]|$)/.test(text.slice(at, at + 2)) ? '~' : undefined;
  return text[at] === '#' || text[at] === '(' ? text[at] : undefined;
}

/** `{a,b}` */
function choices(text: string, at: number): string | undefined {
  let end = at + 1;
  while (end < text.length && !/[\s{}'"]/.test(text.charAt(end))) end += 1;
  const inside = text.slice(at, end + 1);
  return inside.endsWith('}') && /,|\.\./.test(inside) ? inside.slice(0, 40) : undefined;
}
