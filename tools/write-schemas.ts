/** `npm run schemas`: writes the JSON Schemas the package ships. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { schemaText, shippedSchemas } from './schemas.ts';

const folder = new URL('../schemas/', import.meta.url);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
for (const [name, schema] of shippedSchemas()) writeFileSync(new URL(name, folder), schemaText(schema));
