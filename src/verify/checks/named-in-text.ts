/**
 * Finds the files and scripts a text names, as far as that is certain. `and/or`, versions, dates, URLs, patterns and
 * product names do not count: a missed file is better than an invented one.
 */

export interface Named {
  /** As written: relative to the project or to a folder below it. */
  readonly files: readonly string[];
  /** Scripts of `package.json`. */
  readonly scripts: readonly string[];
}

const mostText = 10_000;
const mostNames = 20;

const endings =
  'ts|tsx|mts|cts|js|jsx|mjs|cjs|json|jsonc|py|pyi|rb|go|rs|java|kt|kts|scala|c|h|cc|cpp|hpp|cs|fs|swift|php|lua|sh|bash|ps1|sql|graphql|proto|vue|svelte|astro|html|css|scss|less|md|mdx|rst|yaml|yml|toml|ini|xml|ex|exs|erl|hs|clj|dart|zig|tf';
const isFileName = new RegExp(String.raw`^[\p{L}\d_@+-][\p{L}\d_@+.-]*\.(?:${endings})$`, 'u');
const isFolderName = /^[\p{L}\d_@+.-]+$/u;
/** Product names that look like files: Node.js, Vue.js, asp.net. */
const isProduct = /^[\p{L}\d]+\.(?:js|net|io)$/iu;

/** A text that says a file is missing is right about it. */
const absence =
  /\b(?:no|not|never|without|missing|absent|gone|nonexistent|remov\w*|delet\w*|renam\w*|moved|former\w*|instead|would|should|could|must|if|todo|will|next|plan\w*|later|future)\b|n['’]t\b/i;
const reach = 60;

export function namedIn(given: string): Named {
  const text = given.slice(0, mostText);
  const files = new Set<string>();
  for (const match of text.matchAll(/[^\s,;|=<>"'`()[\]{}]+/g)) {
    if (files.size >= mostNames) break;
    const file = fileIn(match[0]);
    if (file === undefined) continue;
    const before = text.slice(Math.max(0, match.index - reach), match.index);
    const end = match.index + match[0].length;
    if (!absence.test(before) && !absence.test(text.slice(end, end + reach))) files.add(file);
  }
  return { files: [...files], scripts: scriptsIn(text) };
}

function fileIn(word: string): string | undefined {
  // Drops `:12:5`, `#L3` and the end of a sentence.
  const bare = word.replace(/[.:!?…]{1,5}$/, '').replace(/(?::\d{1,7}){1,2}$|#L\d{1,7}(?:-L?\d{1,7})?$/, '');
  if (bare.length > 300 || /[*?$%\\~]|:|\.\.|^[/@-]/.test(bare)) return undefined;
  const isProgram = bare.startsWith('./');
  const parts = bare.split('/').filter((part) => part !== '' && part !== '.');
  const name = parts.pop() ?? '';
  if (!parts.every((part) => isFolderName.test(part)) || parts.includes('node_modules')) return undefined;
  if (!isFileName.test(name) && !(isProgram && isFolderName.test(name))) return undefined;
  // A URL without its scheme: `example.com/a.html`.
  if (/\.(?:com|org|net|io|dev)$/i.test(parts[0] ?? '')) return undefined;
  if (parts.length === 0 && (isProduct.test(name) || /^\d/.test(name))) return undefined;
  return [...parts, name].join('/');
}

/** Run in another folder or package, the command uses a `package.json` other than the project's. */
const elsewhere = /\bcd\s|(?:^|\s)(?:-w|-C|--workspace|--workspaces|--prefix|--filter|--dir|--cwd|-r|--recursive)\b/;
/** Words that follow `npm run` in prose. */
const noScript =
  /^(?:was|is|are|were|has|had|and|or|the|a|in|on|with|to|for|of|then|script|scripts|command|commands|passes|passed|fails|failed|works|worked|succeeds|succeeded|again|ok|it|this|that)$/i;

function scriptsIn(text: string): string[] {
  if (elsewhere.test(text)) return [];
  const names = text
    .matchAll(/\b(?:npm|pnpm|yarn) run ([A-Za-z][\w:.-]{0,60})(?=[\s`"'),;]|$)/g)
    .map(([, name = '']) => name.replace(/[:.-]{1,5}$/, ''));
  return [...new Set(names)].filter((name) => !noScript.test(name)).slice(0, mostNames);
}
