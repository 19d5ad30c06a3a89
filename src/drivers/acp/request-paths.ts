/** The paths in a request for permission: those where clients say them, and whatever else in a tool's input may be one. */
import { type JsonObject, listOf, objectOf, textOf } from '../../base/json-value.ts';
import { leftOut } from './tool-calls.ts';

/** Keys under which clients put a path into the input of a tool. */
const pathKeys = [
  'file_path',
  'filePath',
  'filepath',
  'path',
  'absolute_path',
  'notebook_path',
  'directory',
  'dir_path',
  'fileName',
];

/** Where a call says that it reads or changes. `changes` is a patch, by its files. */
export function namedPaths(call: JsonObject): string[] {
  const input = objectOf(call['rawInput']);
  const changes = objectOf(input['changes']);
  const paths = [
    ...listOf(call['locations']).map((one) => objectOf(one)['path']),
    ...listOf(call['content']).map((one) => objectOf(one)['path']),
    ...pathKeys.map((key) => input[key]),
    ...Object.entries(changes).flatMap(([path, change]) => [path, objectOf(change)['move_path']]),
  ];
  // An empty one is what a tool does without.
  return [...new Set(paths.flatMap((path) => textOf(path) || []))];
}

/** `dir` and `directory`, but not `direction`. */
const pathName = /path|file|folder|dir(?!ect(?!or))|dest|target|root|source|cwd|location|ur[il]s?$|^(?:to|from)$/i;

/** What is written or asked, which may look like anything. */
const contentName =
  /^(?:(?:file|insert)_?)?(?:contents?|text)$|^(?:old|new)_?(?:source|str|string|text)$|^(?:unified_?)?diff$|^prompt$|^source_?code$/i;

const pathLike = /[/\\]|^[~.]/;

const most = { depth: 8, values: 10_000, paths: 1_000 } as const;

/**
 * Whatever the input of a tool holds under a name that sounds like a path's, at any depth, and keys that look like a path.
 * Null where a call names more than can be looked through.
 */
export function findPossiblePaths(call: JsonObject): string[] | null {
  const found = new Set<string>();
  let seen = 0;
  const look = (value: unknown, name: string, depth: number): boolean => {
    seen += 1;
    if (value === leftOut || seen > most.values || found.size > most.paths || depth > most.depth) return false;
    if (typeof value === 'string') {
      if (value !== '' && pathName.test(name)) found.add(value);
      return true;
    }
    if (Array.isArray(value)) return value.every((one) => look(one, name, depth + 1));
    return Object.entries(objectOf(value)).every(([key, inner]) => {
      if (!pathLike.test(key)) return contentName.test(key) || look(inner, key, depth + 1);
      found.add(key);
      return look(inner, '', depth + 1);
    });
  };
  const isAll = look(objectOf(call['rawInput']), '', 0) && namedPaths(call).length <= most.paths;
  return isAll ? [...found] : null;
}
