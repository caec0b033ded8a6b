import { describe, expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { listedClient } from '../../src-shared/domain/clientFacts.ts';
import type { JsonObject } from '../../src-shared/domain/json.ts';
import { isShownEmpty } from './results.ts';

const { clients } = z
  .object({ clients: z.array(listedClient) })
  .parse(
    JSON.parse(readFileSync(join(import.meta.dirname, '../../datasets/clients_v1.json'), 'utf8')),
  );
const emptyIn = (result: JsonObject): string[] =>
  clients.filter(({ results }) => isShownEmpty(result, results)).map(({ id }) => id);

const text = (of: string): JsonObject => ({ type: 'text', text: of });
const link: JsonObject = { type: 'resource_link', uri: 'file:///a.txt', name: 'a' };
const image: JsonObject = { type: 'image', data: 'aGk=', mimeType: 'image/png' };
const structuredContent = { degrees: 21 };

describe('isShownEmpty', () => {
  it.each<[what: string, result: JsonObject, clients: string[]]>([
    ['text', { content: [text('21 degrees')] }, []],
    ['a link alone', { content: [link] }, ['opencode', 'copilot-cli']],
    ['a link and text', { content: [link, text('See the file.')] }, []],
    ['an image alone', { content: [image] }, ['opencode', 'copilot-cli']],
    ['structuredContent alone', { content: [], structuredContent }, ['gemini-cli', 'continue']],
    [
      'structuredContent and blank text',
      { content: [text(' ')], structuredContent },
      ['gemini-cli', 'continue'],
    ],
    ['structuredContent and text', { content: [text('21')], structuredContent }, []],
    ['structuredContent and a link', { content: [link], structuredContent }, ['opencode']],
    ['one line of 60 KB', { content: [text('x'.repeat(60_000))] }, ['opencode']],
    ['lines of 60 KB in all', { content: [text('line\n'.repeat(12_000))] }, []],
    ['nothing at all', { content: [] }, []],
    ['a result without content', {}, []],
  ])('says which clients show nothing of %s', (_, result, expected) => {
    expect(emptyIn(result)).toEqual(expected);
  });

  it('says nothing of a client whose results are not known', () => {
    expect(isShownEmpty({ content: [link] }, null)).toBe(false);
  });
});
