import { afterEach, describe, expect, it } from 'vitest';
import type { FakeTool } from '../../testing/engine.ts';
import { closeTools, keepListing, openTools, todo } from './toolsService.fixture.ts';

afterEach(closeTools);

describe('what clients make of the last listings', () => {
  const bad = { type: 'object', properties: { any: true } };
  const parcels: FakeTool[] = [
    { name: 'send', description: 'Sends a parcel.', inputSchema: bad },
    {
      ...{ name: 'track', description: 'Says where a parcel is.' },
      inputSchema: { type: 'object', properties: { parcel: { type: 'string' } } },
    },
  ];

  it('is a matrix with the server that is lost, and follows a new listing', async () => {
    const { tools, engine } = await openTools({ s: todo, parcels });
    for (const [server, listed] of Object.entries({ s: todo, parcels }))
      keepListing(engine.database, server, listed);
    const before = await tools.clients({});
    expect(before.lost).toMatchObject([{ server: 'parcels', because: 'send', tools: 2 }]);
    expect(before.rows.map(({ toolId }) => toolId).slice(0, 2)).toEqual([
      'parcels:send',
      'parcels:track',
    ]);
    expect((await tools.clients({ servers: ['s'] })).lost).toEqual([]);
    keepListing(engine.database, 'parcels', [{ name: 'send' }, ...parcels.slice(1)]);
    expect((await tools.clients({})).lost).toEqual([]);
  });

  it('is for one tool what a model reads of it in each client, with its tokens', async () => {
    const { tools, engine } = await openTools({ parcels });
    keepListing(engine.database, 'parcels', parcels);
    const seen = await tools.seen({ server: 'parcels', tool: 'track' });
    expect(seen).toHaveLength(16);
    const of = (id: string) => seen.find(({ client }) => client.id === id);
    expect(of('claude-code')).toMatchObject({
      ...{ mark: 'server', wireName: null, tokens: null },
      hidden: expect.stringContaining('because of "send"') as string,
    });
    expect(of('codex')).toMatchObject({ mark: 'shown', wireName: 'mcp__parcels__track' });
    expect(of('codex')?.tokens).toBeGreaterThan(5);
  });

  it('is the first finding on the page of each tool of a lost server', async () => {
    const { tools, engine } = await openTools({ parcels });
    keepListing(engine.database, 'parcels', parcels);
    const { signal } = new AbortController();
    for (const [tool, other] of [
      ['send', null],
      ['track', 'parcels:send'],
    ] as const) {
      const { findings } = await tools.get({ server: 'parcels', tool }, { signal });
      expect(findings[0]).toMatchObject({
        ...{ kind: 'clients', rule: 'client-hides-server', severity: 'critical', other },
      });
    }
  });
});
