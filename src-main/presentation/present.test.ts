import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { listedClient, type ClientFacts } from '../../src-shared/domain/clientFacts.ts';
import type { JsonObject } from '../../src-shared/domain/json.ts';
import { completeFacts } from './completeFacts.ts';
import { present, type PresentedServer } from './present.ts';

const root = join(import.meta.dirname, '../..');
const known = z
  .strictObject({ version: z.literal(1), clients: z.array(listedClient) })
  .parse(JSON.parse(readFileSync(join(root, 'datasets/clients_v1.json'), 'utf8')))
  .clients.map(completeFacts);
const facts = known.filter(({ known: { how } }) => how === 'measured');

/**
 * What the clients asked their model: per run the tools of probe servers as they were sent, and per
 * client and run the tools of its request, in its order. Nothing of a client's own is kept. It is what
 * `scripts/clients/measure.ts` writes.
 */
type Asked = [namespace: string | null, name: string, description: string | null, schema: unknown];
const { runs, requests } = JSON.parse(
  brotliDecompressSync(readFileSync(join(import.meta.dirname, 'requests.json.br'))).toString(),
) as {
  runs: Record<string, Record<string, PresentedServer['tools']>>;
  requests: Record<string, { version: string; runs: Record<string, Asked[]> }>;
};

/** The servers of a run, each with the instructions that all probe servers have. */
const serversIn = (run: Record<string, PresentedServer['tools']> = {}): PresentedServer[] =>
  Object.entries(run).map(([name, tools]) => ({ name, instructions: 'INSTRUCTIONS', tools }));
const serversOf = (run: string): PresentedServer[] => serversIn(runs[run]);

/** The same for the tools of `scripts/clients/secondProbe`. */
const second = JSON.parse(
  brotliDecompressSync(
    readFileSync(join(import.meta.dirname, 'secondRequests.json.br')),
  ).toString(),
) as { runs: typeof runs; requests: typeof requests };

/** Tools as lines, in an order of their own where a search ranks them by its query. */
const lines = ({ presentation }: ClientFacts, tools: readonly Asked[]): string[] => {
  const texts = tools.map(([namespace, name, description, schema]) =>
    JSON.stringify([namespace, name, description ?? '', schema]),
  );
  return presentation?.kind === 'deferred' ? texts.toSorted() : texts;
};
const shownBy = (servers: readonly PresentedServer[], client: ClientFacts): string[] =>
  lines(
    client,
    present(servers, client).offered.map(({ namespace, wireName, description, schema }): Asked => [
      ...([namespace, wireName, description] as const),
      schema,
    ]),
  );

describe('present', () => {
  it.each(facts.filter(({ id }) => second.requests[id] !== undefined))(
    'names, describes and hides the tools of the second probe as $name does',
    (client) => {
      for (const [run, asked] of Object.entries(second.requests[client.id]?.runs ?? {})) {
        expect(shownBy(serversIn(second.runs[run]), client)).toEqual(lines(client, asked));
      }
    },
  );

  it('knows each client in the version that was recorded', () => {
    expect(Object.fromEntries(facts.map(({ id, version }) => [id, version]))).toEqual(
      Object.fromEntries(Object.entries(requests).map(([id, { version }]) => [id, version])),
    );
  });

  describe.each(facts)('$name', (client) => {
    const recorded = Object.entries(requests[client.id]?.runs ?? {});

    it.each(recorded)('makes the request of the run %s, byte for byte', (run, asked) => {
      expect(shownBy(serversOf(run), client)).toEqual(lines(client, asked));
    });

    it.each(recorded)('accounts for every tool of the run %s once', (run) => {
      const { offered, hidden } = present(serversOf(run), client);
      const key = ({ server, tool }: { server: string; tool: string }): string =>
        `${server}\0${tool}`;
      const sent = serversOf(run).flatMap(({ name, tools }) =>
        tools.map((tool) =>
          key({ server: name, tool: typeof tool.name === 'string' ? tool.name : '' }),
        ),
      );
      expect([...offered, ...hidden].map(key).toSorted()).toEqual(sent.toSorted());
    });
  });

  describe('before a search', () => {
    const deferred = facts.filter(({ presentation }) => presentation?.kind !== 'flat');
    const read = (instructions: string | null): unknown[] =>
      deferred.map((client) =>
        present([{ name: 's', instructions, tools: [] }], client).before.map(({ text }) => text),
      );

    it.each([
      ['nothing of instructions that aren’t known', null, null],
      ['nothing where there are none', '', ''],
      ['the first line, trimmed', '\n \nFirst\tand  more. \r\nsecond', 'First\tand  more.'],
      ['250 characters whole', '🚀'.repeat(250), '🚀'.repeat(250)],
      ['247 of a longer line', 'é🚀'.repeat(126), `${'é🚀'.repeat(123)}é...`],
    ])('gives a model %s', (_, instructions, shown) => {
      expect(deferred.map(({ id }) => id)).toEqual(['codex-gpt-5.5', 'codex-gpt-6.1-sol']);
      expect(read(instructions)).toEqual([[shown], [shown]]);
    });

    it('gives nothing of a client whose requests have the tools', () => {
      const [flat] = facts;
      expect(present(serversOf('names'), flat ?? expect.fail()).before).toEqual([]);
    });
  });

  it('adds no instructions to a declaration where there are none', () => {
    const code = facts.find(({ id }) => id === 'codex-gpt-6.1-sol') ?? expect.fail();
    const tools = [{ name: 'x', description: 'D.', inputSchema: { type: 'object' } }];
    const { offered } = present([{ name: 's_', instructions: '', tools }], code);
    expect(offered).toMatchObject([
      { namespace: null, wireName: 'mcp__s_x', schema: null, from: { wireName: 'x' } },
    ]);
    expect(offered[0]?.description).toBe(
      'D.\n\nexec tool declaration:\n```ts\ndeclare const tools: { mcp__s_x(args: { [key: string]: unknown; }): Promise<CallToolResult>; };\n```',
    );
  });

  describe('of a schema for Qwen Code', () => {
    const shown = (inputSchema: JsonObject): unknown =>
      present(
        [{ name: 's', instructions: null, tools: [{ name: 't', inputSchema }] }],
        known.find(({ id }) => id === 'qwen-code') ?? expect.fail(),
      ).offered[0]?.schema;
    const empty = { type: 'object', properties: {}, additionalProperties: false };
    const long = { type: 'string', minLength: 1, maxLength: 1999 };

    it('leaves out empty properties and long limits where the schema compiles strictly', () => {
      expect(shown({ type: 'object', properties: { a: empty, b: long } })).toEqual({
        type: 'object',
        properties: { a: { type: 'object' }, b: { type: 'string', minLength: 1 } },
      });
      expect(shown(empty)).toBeNull();
    });

    it.each([
      ['a keyword of another draft', { prefixItems: [{ type: 'string' }] }],
      ['an unknown keyword', { 'x-own': true }],
      ['a name of its own', { $id: 'urn:own' }],
      ['a reference that leads nowhere', { allOf: [{ $ref: '#/$defs/gone' }] }],
      ['more than can be compiled', { description: 'long '.repeat(50_000) }],
    ])('leaves them as they are in a schema with %s', (_, more: JsonObject) => {
      expect(shown({ type: 'object', properties: { a: empty, b: long }, ...more })).toMatchObject({
        properties: { a: empty, b: long },
      });
    });

    it('takes keywords of the draft that a schema names as known', () => {
      const pair = { type: 'array', prefixItems: [{ type: 'string' }] };
      const draft = 'https://json-schema.org/draft/2020-12/schema';
      expect(shown({ $schema: draft, type: 'object', properties: { a: empty, pair } })).toEqual({
        type: 'object',
        properties: { a: { type: 'object' }, pair },
      });
    });
  });
});
