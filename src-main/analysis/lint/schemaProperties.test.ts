import { ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src-shared/domain/json.ts';
import { readSchema } from '../../scoring/schema/readSchema.ts';
import { found, published } from './published.fixture.ts';

/** Schemas of every kind, sound and odd. */
const anySchema = fc.letrec<{ schema: JsonValue }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<JsonValue>(true, null, 'string', {}, { type: 'string' }, { type: 'Any' }),
    fc.record(
      {
        type: fc.constantFrom<JsonValue>(
          'object',
          'array',
          'STRING',
          'strng',
          null,
          3,
          ['string', 'null'],
          [],
        ),
        properties: fc.oneof(
          fc.dictionary(fc.constantFrom('a', 'b c', ''), tie('schema')),
          fc.constantFrom<JsonValue>(null, [], 'a'),
        ),
        items: fc.oneof(tie('schema'), fc.array(tie('schema'), { maxLength: 2 })),
        anyOf: fc.oneof(
          fc.array(tie('schema'), { maxLength: 2 }),
          fc.constantFrom<JsonValue>(null, {}),
        ),
        not: tie('schema'),
        required: fc.constantFrom<JsonValue>(['a'], ['a', 'a'], [3], 'a', true, null),
        enum: fc.constantFrom<JsonValue>(['a'], [], null, 'a'),
        minimum: fc.constantFrom<JsonValue>(3, '3', null),
        pattern: fc.constantFrom<JsonValue>('a+', 'a++', 3, null),
        description: fc.constantFrom<JsonValue>('Text', null, 3),
        $ref: fc.constantFrom<JsonValue>('#', '#/properties/a', '#/gone', 3),
        dependencies: fc.constantFrom<JsonValue>({ a: ['b'] }, { a: [3] }, []),
      },
      { requiredKeys: [] },
    ),
  ),
})).schema;

const anyRoot = anySchema.filter(
  (schema): schema is JsonObject => typeof schema === 'object' && schema !== null,
);

describe('the rules about schemas', () => {
  it('find every keyword that decides nothing in an evaluation', () => {
    fc.assert(
      fc.property(anyRoot, (schema) => {
        if (readSchema(schema).unreadable.length > 0)
          expect(found(published({ inputSchema: schema }))).not.toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('name who refuses a place that is beyond those they list', () => {
    const odd = { required: 'a', anyOf: [{ required: 'a' }, { required: 'a' }, { required: 'a' }] };
    const tool = published({
      inputSchema: { type: 'object', not: { items: [odd, odd, odd, odd] } },
      outputSchema: { type: 'object', required: 'a' },
    });
    expect(ListToolsResultSchema.safeParse({ tools: [tool] }).success).toBe(false);
    const names = found(tool).flatMap(({ refusedBy = [] }) => refusedBy.map((each) => each.client));
    expect(names).toContain('MCP TypeScript SDK');
  });

  it('name the MCP TypeScript SDK exactly where it refuses the list', () => {
    const member = fc.constantFrom<JsonValue>(null, 'text', 3, {}, []);
    fc.assert(
      fc.property(
        anyRoot,
        fc.record(
          { title: member, description: member, outputSchema: anySchema },
          { requiredKeys: [] },
        ),
        (inputSchema, more) => {
          const tool = published({ ...more, inputSchema });
          const names = found(tool).flatMap(({ refusedBy = [] }) =>
            refusedBy.map(({ client }) => client),
          );
          expect(names.includes('MCP TypeScript SDK')).toBe(
            !ListToolsResultSchema.safeParse({ tools: [tool] }).success,
          );
        },
      ),
      { numRuns: 500 },
    );
  });
});
