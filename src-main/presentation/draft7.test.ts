import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject } from '../../src-shared/domain/json.ts';
import { isStrictlyValid } from './draft7.ts';
import type { PresentedServer } from './present.ts';

const settings = {
  ...({ strictSchema: true, strictRequired: false, strictTypes: false, logger: false } as const),
  ...{ validateFormats: false, allowUnionTypes: true, addUsedSchema: false },
};
const [ajv7, ajv2020] = [new Ajv(settings), new Ajv2020(settings)];

/** What a strict Ajv says of a schema, as Qwen Code asks it. */
function compiles(schema: JsonObject): boolean {
  const is2020 = /2020-12\/schema#?$/.test(JSON.stringify(schema['$schema'] ?? '').slice(1, -1));
  try {
    (is2020 ? ajv2020 : ajv7).compile(schema);
    return true;
  } catch {
    return false;
  }
}

const probed = (file: string): JsonObject[] => {
  const { runs } = JSON.parse(
    brotliDecompressSync(readFileSync(join(import.meta.dirname, file))).toString(),
  ) as { runs: Record<string, Record<string, PresentedServer['tools']>> };
  return Object.values(runs)
    .flatMap((servers) => Object.values(servers).flat())
    .map(({ inputSchema }) => inputSchema ?? null)
    .filter(isJsonObject);
};
const text: JsonObject = { type: 'string' };
const having = (k: JsonObject): JsonObject => ({ type: 'object', properties: { k } });

describe('isStrictlyValid', () => {
  it('says of every schema of the probes what a strict Ajv says', () => {
    const schemas = ['requests.json.br', 'secondRequests.json.br'].flatMap(probed);
    // An address of its own is an error of another kind there.
    const differing = schemas.filter(
      (schema) => schema['$id'] === undefined && isStrictlyValid(schema) !== compiles(schema),
    );
    expect(schemas.length).toBeGreaterThan(400);
    expect(differing).toEqual([]);
  });

  it.each<[string, JsonObject]>([
    ['a reference to a definition', { $defs: { 'a/b': text }, $ref: '#/$defs/a~1b' }],
    ['a reference that leads nowhere', having({ $ref: '#/$defs/none' })],
    ['a reference to another file', having({ $ref: 'https://example.com/a.json' })],
    ['a condition', { if: having(text), then: having(text) }],
    ['a condition that decides nothing', { if: having(text) }],
    ['a consequence without a condition', { else: having(text) }],
    ['further items of a list of items', having({ items: [text], additionalItems: text })],
    ['further items of one schema', having({ items: text, additionalItems: text })],
    ['a pattern', having({ ...text, pattern: '^a' })],
    ['a pattern that can’t be read', having({ ...text, pattern: '(' })],
    ['names by a pattern that can’t be read', { patternProperties: { '[': text } }],
    ['a union without a member', having({ anyOf: [] })],
    ['a list of values without a member', having({ enum: [] })],
    ['a type that is none', having({ type: 'text' })],
    ['a keyword of a later draft', having({ prefixItems: [text] })],
    [
      'a keyword of its draft',
      {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        ...having({ prefixItems: [text] }),
      },
    ],
    ['an unknown draft', { $schema: 'https://json-schema.org/draft/2019-09/schema' }],
    ['a boolean in place of a schema', { properties: { a: true, b: false } }],
    ['a text in place of a schema', { properties: { a: 'string' } }],
  ])('agrees with a strict Ajv on %s', (_what, schema) => {
    expect(isStrictlyValid(schema)).toBe(compiles(schema));
  });
});
