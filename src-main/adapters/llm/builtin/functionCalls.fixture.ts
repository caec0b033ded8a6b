import { expect } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';
import { contentTerms } from '../../../analysis/tokenizer.ts';
import { fillParameters } from './fillParameters.ts';
import { readQuery } from './queryReading.ts';
import { slotsOf } from './slots.ts';

export interface Request {
  tool: string;
  query: string;
  properties: JsonObject;
  required: string[];
  expected: JsonObject;
}

/**
 * Requests of a table. Per request: the tool and what is asked, then a line per parameter with its
 * name ("?": optional), its type (`string=a|b` has an enum, `array:integer` items), its description,
 * and the value as JSON (nothing: it is left out).
 */
export const readRequests = (table: string): Request[] =>
  table
    .trim()
    .split(/\n(?=\S)/u)
    .map((block): Request => {
      const [head = '', ...lines] = block.split('\n');
      const [tool = '', query = ''] = head.split(/: (.*)/u);
      const request: Request = { tool, query, properties: {}, required: [], expected: {} };
      for (const line of lines) {
        const [declared = '', description = '', value] = line.trim().split(' | ');
        const [written = '', shape = ''] = declared.split(' ');
        const [plain = '', values] = shape.split('=');
        const [type = '', items] = plain.split(':');
        const name = written.replace('?', '');
        request.properties[name] = {
          type,
          description: description.replace(/ \|$/u, ''),
          ...(values === undefined ? {} : { enum: values.split('|') }),
          ...(items === undefined ? {} : { items: { type: items } }),
        };
        if (name === written) request.required.push(name);
        if (value !== undefined) request.expected[name] = JSON.parse(value) as JsonValue;
      }
      return request;
    });

export function expectFilled({ tool, query, properties, required, expected }: Request): void {
  const toolWords = new Set(contentTerms(tool).map((term) => term.stem));
  const filled = fillParameters({
    slots: slotsOf({ type: 'object', properties, required }),
    reading: readQuery(query),
    context: [],
    isToolWord: (word) => toolWords.has(word),
  });
  expect(filled).toEqual(expected);
}
