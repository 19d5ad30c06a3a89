/**
 * The scripted model API by hand: `node tests/clients/model-api/serve.ts SCRIPT [RECORD]`. The script is a JSON list of steps, or a
 * module whose default export is a script. It prints its address, then one line per call; RECORD gets the requests, one per line.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startModelApi } from './model-api.ts';
import { inOrder, type Script, type Step } from './script.ts';

async function scriptIn(file: string): Promise<Script> {
  if (file.endsWith('.json')) return inOrder(...(JSON.parse(readFileSync(file, 'utf8')) as readonly Step[]));
  return ((await import(pathToFileURL(resolve(file)).href)) as { default: Script }).default;
}

const [file, record] = process.argv.slice(2);
if (file === undefined) {
  console.error('usage: node tests/clients/model-api/serve.ts SCRIPT.json|SCRIPT.ts [RECORD.jsonl]');
  process.exit(2);
}
const script = await scriptIn(file);
const api = await startModelApi(async (request) => {
  const step = await script(request);
  const { index, dialect, model, turn, tools } = request;
  console.log(
    `${index} ${dialect} ${model} turn ${turn}, ${tools.length} tools → ${JSON.stringify(step).slice(0, 200)}`,
  );
  if (record !== undefined) appendFileSync(record, `${JSON.stringify({ request, step })}\n`);
  return step;
});
console.log(api.url);
process.once('SIGINT', () => void api.close());
process.once('SIGTERM', () => void api.close());
