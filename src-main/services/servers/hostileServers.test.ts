import { afterAll, describe, expect, it } from 'vitest';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { hostileCallModes, hostileListModes } from '../../testing/fakeMcpServer/hostileModes.ts';
import { fakeStdioServer } from '../../testing/fakeMcpServer/start.ts';
import { sampled } from '../../testing/nightly.ts';
import { watchLoop } from '../../testing/watchLoop.ts';
import { serverUrl } from './serverUrl.ts';
import { openServers } from './serversService.fixture.ts';

/**
 * The promise is 200 ms. Computing time is compared, because a turn of the loop takes long for any
 * reason on a busy machine.
 */
const maxComputingMs = 5 * 200;
const options = { signal: new AbortController().signal };

/** The benchmark `hostile` measures the full sizes. Here the limits shrink as well. */
const scale = 0.1;
const servers = openServers({ limits: { messageBytes: 25_000_000 * scale } });
servers.database.store.settings.patch({ maxToolText: 0.1 });
afterAll(async () => {
  await servers.database.tokens.close();
  await servers[Symbol.asyncDispose]();
});

/** Added without the check of a new server, which would start it once more. */
function add(mode: string, size = scale): string {
  const { store } = servers.database;
  const known = store.servers.getByName(mode);
  if (known !== null) return known.id;
  const config = fakeStdioServer(mode, { scale: String(size) });
  return store.servers.insert({ name: mode, config, url: serverUrl(config) }).id;
}

const causeOf = (error: unknown): string => {
  if (error instanceof ServiceError) return error.data.cause;
  throw error;
};

/** A tool that nests too deep costs itself, not the list. */
const onlyOrdinary = {
  tools: [{ name: 'ordinary' }],
  listing: { rejected: [{ name: 'hostile', reason: 'It is nested deeper than 500 levels.' }] },
};

describe('hostile servers', () => {
  it('marks a large tool, and has its count once it is counted in the background', async () => {
    const id = add('words-5mb', 0.4);
    const { tools } = await servers.service.refreshTools({ id }, options);
    expect(tools).toMatchObject([
      { name: 'ordinary', large: false, tokenCount: 26 },
      { name: 'hostile', large: true, countProblem: null },
    ]);
    // The listing does not wait for it: on a fast machine the count may be there already.
    const counted = tools[1]?.tokenCount ?? null;
    expect(counted === null || counted > 1_200_000).toBe(true);
    await servers.database.tokens.of(
      tools.map(({ hash }) => hash),
      'cl100k_base',
    );
    const { listing } = await servers.service.get({ id });
    expect(listing?.tools[1]?.tokenCount).toBeGreaterThan(1_200_000);
  });

  it('sends the beginning of a large text to a screen, and all of it where asked', async () => {
    const id = add('long-instructions');
    const { listing: shown } = await servers.service.refreshTools({ id }, options);
    expect(shown.instructions).toMatch(/…\n\n\(Only the first 100,000 characters are shown\.\)$/);
    expect((await servers.service.get({ id })).greeting.instructions).toHaveLength(100_049);
    const { listing } = await servers.service.refreshTools({ id, whole: true }, options);
    expect(listing.instructions).toHaveLength(20_000_000 * scale);
  });

  it.each(['one-character-20mb', 'properties-200000'])(
    'sends no megabytes of a tool to a screen, and all of them where asked: %s',
    async (mode) => {
      const id = add(mode);
      const shown = await servers.service.refreshTools({ id }, options);
      expect(JSON.stringify(shown).length).toBeLessThan(200_000);
      const listing = await servers.service.refreshTools({ id, whole: true }, options);
      expect(JSON.stringify(listing).length).toBeGreaterThan(500_000);
      expect(shown.tools.map(({ hash }) => hash)).toEqual(listing.tools.map(({ hash }) => hash));
    },
  );

  const refused: Readonly<Record<string, RegExp>> = {
    'list-30mb': /larger than 2\.5 MB/,
    'long-error': /error -32000: too bad too bad/,
  };
  /** Others of the same kinds: one long text, one long list, one schema that is large or deep. */
  const nightly = ['spaces-20mb', 'umlauts-20mb', 'list-24mb', 'enum-1000000', 'deep-schema'];
  const isInSample = (mode: string): boolean => !nightly.includes(mode);
  it.each(sampled(Object.keys(hostileListModes(scale)), isInSample))(
    'T22: keeps the event loop free while tools are listed: %s',
    async (mode) => {
      const id = add(mode);
      using loop = watchLoop();
      const outcome = await servers.service.refreshTools({ id }, options).catch(causeOf);
      expect(loop.take().computingMs).toBeLessThan(maxComputingMs);
      const cause = refused[mode];
      if (cause !== undefined) expect(outcome).toMatch(cause);
      else if (mode.startsWith('deep')) expect(outcome).toMatchObject(onlyOrdinary);
      else expect(outcome).toMatchObject({ tools: expect.arrayContaining([expect.anything()]) });
    },
  );

  const calls: Readonly<Record<string, RegExp | null>> = {
    'deep-content': /nests deeper than 1,000 levels/,
    'deep-content-8mb': /nests deeper than 1,000 levels/,
    'text-20mb': null,
    'content-200000': null,
  };
  it.each(Object.keys(hostileCallModes(scale)))(
    'keeps the event loop free while a tool answers: %s',
    async (mode) => {
      const id = add(mode);
      using loop = watchLoop();
      const outcome = await servers.service
        .callTool({ id, tool: 'echo', arguments: {} }, options)
        .catch(causeOf);
      expect(loop.take().computingMs).toBeLessThan(maxComputingMs);
      const cause = calls[mode];
      if (cause instanceof RegExp) expect(outcome).toMatch(cause);
      else expect(outcome).toMatchObject({ isError: false });
    },
  );
});
