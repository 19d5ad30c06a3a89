/** Finds the paths in a permission request: those that clients name, and any other input that may be one. */
import { type JsonObject, listOf, objectOf, textOf } from '../../base/json-value.ts';
import { leftOut } from './tool-calls.ts';

/** Keys of a tool's input that hold a path. */
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

/** The paths that a call says it reads or changes. `changes` is a patch: file → change. */
export function namedPaths(call: JsonObject): string[] {
  const input = objectOf(call['rawInput']);
  const changes = objectOf(input['changes']);
  const paths = [
    ...listOf(call['locations']).map((one) => objectOf(one)['path']),
    ...listOf(call['content']).map((one) => objectOf(one)['path']),
    ...pathKeys.map((key) => input[key]),
    ...Object.entries(changes).flatMap(([path, change]) => [path, objectOf(change)['move_path']]),
  ];
  // An empty path means the tool has none.
  return [...new Set(paths.flatMap((path) => textOf(path) || []))];
}

/** `dir` and `directory`, but not `direction`. */
const pathName = /path|file|folder|dir(?!ect(?!or))|dest|target|root|source|cwd|location|ur[il]s?$|^(?:to|from)$/i;

/** Content, which may look like anything. */
const contentName =
  /^(?:(?:file|insert)_?)?(?:contents?|text)$|^(?:old|new)_?(?:source|str|string|text)$|^(?:unified_?)?diff$|^prompt$|^source_?code$/i;

const pathLike = /[/\\]|^[~.]/;

const most = { depth: 8, values: 10_000, paths: 1_000 } as const;

/**
 * Every value of a tool's input whose key sounds like a path's, at any depth, and every key that looks like a path. Null if there
 * are more than can be checked.
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
