/**
 * Reads files that git calls binary because of one NUL or an attribute: otherwise a single NUL would hide a file's
 * lines from every check. A file with a text extension is always read; with another one, unless it is an image, an
 * archive or the like.
 */
import { isTestName } from './file-kinds.ts';
import type { ChangedLines } from '../work.ts';

const textName =
  /\.(?:[cm]?[jt]sx?|vue|svelte|astro|html?|xml|svg|css|s[ac]ss|less|json[c5]?|ya?ml|toml|ini|cfg|conf|env|properties|tfvars|tf|hcl|mdx?|markdown|rst|adoc|txt|tex|org|csv|tsv|sql|graphql|proto|py|rb|php|pl|lua|go|rs|c|cc|cpp|h|hh|hpp|m|mm|java|kts?|scala|groovy|gradle|cs|fs|swift|dart|hs|exs?|erl|clj|lisp|r|jl|sh|bash|zsh|fish|ps1|bat|cmd|mk|cmake|pem|key|crt|pub|patch|diff)$|(?:^|\/)(?:\.env[^/]*|\.\w+(?:rc|ignore)|makefile|justfile|dockerfile|readme|license|id_[a-z\d]+)$/i;

const binaryName =
  /\.(?:png|jpe?g|gif|webp|avif|ico|icns|bmp|tiff?|psd|heic|woff2?|ttf|otf|eot|zip|gz|tgz|bz2|xz|zst|7z|rar|tar|jar|war|whl|gem|pdf|docx?|xlsx?|pptx?|od[tsp]|epub|mp[34]|m4[av]|wav|ogg|flac|webm|mov|avi|mkv|wasm|so|dylib|dll|exe|o|a|obj|lib|class|pyc|node|db|sqlite3?|bin|dat|onnx|pth?|safetensors|gguf|np[yz]|parquet|pb|pkl|mo|p12|pfx|jks)$/i;

export type Called = 'text' | 'binary' | 'either';

/** What the file's name says about its content. */
export function calledBy(path: string): Called {
  if (textName.test(path) || isTestName(path)) return 'text';
  return binaryName.test(path) ? 'binary' : 'either';
}

export interface ReadAnyway {
  readonly lines: ChangedLines[];
  /** Files with a text extension that cannot be read as text: another encoding, or binary content. */
  readonly unread: string[];
}

/** Lines of files that git calls binary, NULs removed, which makes UTF-16 readable. */
export function readAnyway(files: readonly ChangedLines[]): ReadAnyway {
  const unread = files.filter((file) => calledBy(file.path) === 'text' && !isMostlyText(file));
  const wanted = files.filter((file) => calledBy(file.path) === 'text' || isMostlyText(file));
  const clean = (text: string): string => text.replaceAll('\0', '');
  return {
    lines: wanted.map(({ path, added, removed }) => ({
      path,
      added: added.map(({ line, text }) => ({ line, text: clean(text) })),
      removed: removed.map(clean),
    })),
    unread: unread.map(({ path }) => path),
  };
}

/** The percentage of characters that may be control characters. */
const mostOdd = 10;

function isMostlyText({ added }: ChangedLines): boolean {
  let [odd, all] = [0, 0];
  for (const { text } of added) {
    all += text.length + 1;
    // eslint-disable-next-line no-control-regex -- control characters are what this looks for
    for (const [row] of text.matchAll(/[\u0000-\u0008\u000e-\u001a\u001c-\u001f\ufffd]+/g)) odd += row.length;
  }
  return odd * 100 <= all * mostOdd;
}
