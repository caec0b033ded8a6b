import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { tokenMetrics } from '../../../src-shared/domain/tokens.ts';
import { readExternal } from '../../testing/externalData.ts';
import { countTokens, countTokensByRange } from './encodings.ts';
import { memberRanges, countOfferedTool, countTool, savings } from './toolTokens.ts';
import { providerFormats } from './providerFormats.ts';

const read = (name: string): unknown =>
  JSON.parse(readExternal(`retrieval/mcpproxy_originals/${name}`));
const corpus = z.object({
  tools: z.array(
    z.object({
      tool_id: z.string(),
      tool: z.string(),
      description: z.string(),
      schema: z.record(z.string(), z.json()).optional(),
    }),
  ),
});
const counted = z.object({
  encoding: z.literal('cl100k_base'),
  rows: z.array(z.tuple([z.string(), z.number(), z.number(), z.number()])),
});

describe('countTool', () => {
  it.each(['v1', 'v2'])('equals the published counts of corpus %s', (version) => {
    const rows = new Map(
      counted.parse(read(`token_counts_${version}.json`)).rows.map((row) => [row[0], row]),
    );
    const { tools } = corpus.parse(read(`corpus_${version}.tools.json`));
    expect(tools.length).toBe(rows.size);
    for (const { tool_id, tool, description, schema } of tools) {
      const [, plain, whole] = rows.get(tool_id) ?? [];
      expect(countTokens(`${tool}\n${description}`), tool_id).toBe(plain);
      expect(
        countTool(JSON.stringify({ name: tool, description, inputSchema: schema ?? {} }))
          .tokenCount,
        tool_id,
      ).toBe(whole);
    }
  });

  it('assigns a token to the part with its first byte, and quotes to the structure', () => {
    // `{"` and `":"` are tokens of the encoding; the closing quote of a value is structure.
    const { tokenCount, parts } = countTool('{"name":"add","description":"","inputSchema":{}}');
    expect(parts).toMatchObject({ name: 1, description: 0, outputSchema: 0 });
    expect(tokenCount).toBe(countTokens('{"name":"add","description":"","inputSchema":{}}'));
  });

  it('has parts that sum to the total for any content and order', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.constantFrom(
        '<|endoftext|>',
        '日本語 🛠️',
        '"quoted" \\ back',
        'x'.repeat(70),
        "don't  stop\n",
      ),
    );
    const member = fc.tuple(
      fc.constantFrom('name', 'description', 'inputSchema', 'outputSchema', 'title', '"'),
      fc.oneof(text, fc.jsonValue({ maxDepth: 2 })),
    );
    fc.assert(
      fc.property(
        fc.array(member, { maxLength: 6 }),
        fc.constantFrom('cl100k_base' as const, 'o200k_base' as const),
        fc.constantFrom(undefined, 2),
        (members, encoding, indent) => {
          const raw = JSON.stringify(Object.fromEntries(members), null, indent);
          const { tokenCount, parts } = countTool(raw, encoding);
          expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBe(tokenCount);
          expect(tokenCount).toBe(countTokens(raw, encoding));
          for (const part of Object.values(parts)) expect(part).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });

  it('counts ranges correctly inside multibyte text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), { maxLength: 30 }),
        fc.nat(30),
        fc.nat(30),
        (characters, one, other) => {
          const text = characters.join('');
          const placeOf = (at: number): number => characters.slice(0, at).join('').length;
          const [from, to] = [placeOf(Math.min(one, other)), placeOf(Math.max(one, other))];
          const { counts, rest } = countTokensByRange(text, [[from, to]]);
          expect((counts[0] ?? 0) + rest).toBe(countTokens(text));
          // Each of them begins at a byte of its own.
          expect(counts[0] ?? 0).toBeLessThanOrEqual(Buffer.byteLength(text.slice(from, to)));
          expect(rest).toBeLessThanOrEqual(
            Buffer.byteLength(text) - Buffer.byteLength(text.slice(from, to)),
          );
        },
      ),
    );
  });
});

describe('memberRanges', () => {
  it('finds values with brackets and quotes in strings, and the last of duplicate names', () => {
    const json = '{ "a" : "x\\"}]" , "b":{"c":["]",{}]},"n": -1.5e3 ,"a":[1 , 2],"\\u0061b":true}';
    const values = Object.fromEntries(
      [...memberRanges(json)].map(([name, [from, to]]) => [name, json.slice(from, to)]),
    );
    expect(values).toEqual({ a: '[1 , 2]', b: '{"c":["]",{}]}', n: '-1.5e3', ab: 'true' });
    expect(memberRanges('[1]').size).toBe(0);
    expect(memberRanges('{}').size).toBe(0);
  });

  it('finds the exact value range of every member, for any object', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ maxLength: 6 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 }),
        fc.constantFrom(undefined, 1),
        (object, indent) => {
          const json = JSON.stringify(object, null, indent);
          for (const [name, [from, to]] of memberRanges(json)) {
            const value = object[name];
            const text =
              typeof value === 'string' ? `"${json.slice(from, to)}"` : json.slice(from, to);
            expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
          }
          expect(memberRanges(json).size).toBe(Object.keys(object).length);
        },
      ),
    );
  });
});

describe('savings', () => {
  it('keeps the identities of token metrics and never gives NaN', () => {
    expect(savings(200, 50)).toEqual({
      baselineTokens: 200,
      returnedTokens: 50,
      tokensSaved: 150,
      savingsPercentage: 75,
    });
    expect(savings(0, 0)).toEqual({
      baselineTokens: 0,
      returnedTokens: 0,
      tokensSaved: 0,
      savingsPercentage: 0,
    });
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (a, b) => {
        tokenMetrics.parse(savings(Math.max(a, b), Math.min(a, b)));
      }),
    );
    expect(() => savings(10, 11)).toThrow(/not of the same tools/);
  });
});

describe('countOfferedTool', () => {
  it.each(providerFormats)('finds the parts of a tool in the format of $format', (format) => {
    const text = JSON.stringify(
      format.describe({
        server: 's',
        name: 'add',
        title: null,
        description: 'add add',
        inputSchema: { type: 'object' },
        outputSchema: { type: 'object' },
        annotations: null,
      }),
    );
    const { tokenCount, parts } = countOfferedTool(text, format.encoding);
    // “add” is one token and “ add” another; no format sends the output schema.
    expect(parts).toMatchObject({ name: 1, description: 2, outputSchema: 0 });
    expect(parts.inputSchema).toBeGreaterThan(2);
    expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBe(tokenCount);
    expect(tokenCount).toBe(countTokens(text, format.encoding));
  });
});
