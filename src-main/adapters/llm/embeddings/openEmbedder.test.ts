import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import { countLetters, letterEmbeddings } from '../../../testing/fakeModelServer/fakeEmbeddings.ts';
import { noteWaits, testKey } from '../../../testing/fakeModelServer/openTestModel.ts';
import { startFakeModelServer } from '../../../testing/fakeModelServer/start.ts';
import type { Reaction } from '../../../testing/fakeModelServer/react.ts';
import { createSecrets } from '../../secrets/secrets.ts';
import { createOpenEmbedder } from './openEmbedder.ts';

const signal = new AbortController().signal;
const open = (origin: string) =>
  createOpenEmbedder({
    secrets: createSecrets({ environment: {} }),
    timing: noteWaits(),
    warn: () => undefined,
  })({ provider: 'openai-compatible', model: 'letters', baseUrl: `${origin}/v1` });
const answering = (change: (answer: JsonObject, body: JsonObject) => JsonObject) =>
  startFakeModelServer({ embeddings: (body) => change(letterEmbeddings(body), body) });
const refused = async (origin: string, texts: string[]): Promise<unknown> =>
  (await open(origin)).embed(texts, { signal }).catch((error: unknown) => error);

describe('createOpenEmbedder', () => {
  it('embeds texts in batches and returns the vectors in their order', async () => {
    await using server = await startFakeModelServer({ embeddings: letterEmbeddings });
    const texts = Array.from({ length: 200 }, (_, at) => 'abc'.repeat(at % 7) + 'z'.repeat(at));
    const batches: number[] = [];
    const vectors = await (
      await open(server.origin)
    ).embed(texts, { signal, onBatch: (part) => batches.push(part.length) });
    expect(vectors.map((vector) => [...vector])).toEqual(texts.map(countLetters));
    expect(batches).toEqual([96, 96, 8]);
    expect(server.requests).toHaveLength(3);
  });

  it('names the model of an endpoint without embeddings', async () => {
    await using server = await startFakeModelServer();
    expect(await refused(server.origin, ['a'])).toMatchObject({
      code: 'TROUBLE',
      message: expect.stringMatching(/letters at .* answered 404.*embedding model/u) as unknown,
    });
  });

  it.each([
    [
      'vectors of different lengths',
      (answer: JsonObject, body: JsonObject) => ({
        ...answer,
        data: [
          { index: 0, embedding: [1, 2] },
          ...(answer['data'] as JsonObject[]).filter(
            ({ index }) => index !== 0 || body['model'] === '',
          ),
        ],
      }),
      'different lengths: 2 and 26',
    ],
    [
      'fewer vectors than texts',
      (answer: JsonObject) => ({ ...answer, data: (answer['data'] as JsonObject[]).slice(1) }),
      '1 vectors for 2 texts',
    ],
    [
      'a vector for a text that was not sent',
      (answer: JsonObject) => ({
        ...answer,
        data: (answer['data'] as JsonObject[]).map((one) => ({ ...one, index: 7 })),
      }),
      '2 vectors for 2 texts',
    ],
    ['an answer without vectors', () => ({ object: 'list' }), 'incomplete answer'],
    [
      'vectors that are no numbers',
      (answer: JsonObject) => ({
        ...answer,
        data: [
          { index: 0, embedding: ['1'] },
          { index: 1, embedding: ['2'] },
        ],
      }),
      'incomplete answer',
    ],
    [
      'an empty vector',
      (answer: JsonObject) => ({
        ...answer,
        data: [
          { index: 0, embedding: [] },
          { index: 1, embedding: [] },
        ],
      }),
      'incomplete answer',
    ],
  ])('rejects %s', async (_what, change, said) => {
    await using server = await answering(change);
    expect(await refused(server.origin, ['a', 'b'])).toMatchObject({
      code: 'TROUBLE',
      message: expect.stringContaining(said) as unknown,
    });
  });

  it.each<[string, Reaction, RegExp]>([
    [
      'HTML',
      {
        does: 'http',
        status: 200,
        headers: { 'content-type': 'text/html' },
        body: '<html>Welcome</html>',
      },
      /letters at .*<html>/u,
    ],
    ['an answer that is cut off', { does: 'cut off' }, /letters at /u],
    [
      'an error',
      { does: 'error', status: 400, type: 'invalid_request_error', message: 'no such model' },
      /letters at .*400.*no such model/u,
    ],
  ])(
    'T38: names model and host when the endpoint answers with %s',
    async (_what, reaction, said) => {
      await using server = await startFakeModelServer({ embeddings: letterEmbeddings });
      server.script(...Array.from({ length: 5 }, () => reaction));
      expect(await refused(server.origin, ['a'])).toMatchObject({
        code: 'TROUBLE',
        message: expect.stringMatching(said) as unknown,
      });
    },
  );

  it('T37: cancels while the endpoint does not answer', async () => {
    await using server = await startFakeModelServer({ embeddings: letterEmbeddings });
    server.script({ does: 'stall before headers' });
    const stop = new AbortController();
    const asking = (await open(server.origin))
      .embed(['a'], { signal: stop.signal })
      .catch((error: unknown) => error);
    await server.seen(1);
    stop.abort(new Error('enough'));
    expect(await asking).toMatchObject({ message: 'enough' });
  });

  it.each([
    'http://embeddings.test/v1',
    'http://user:secret@127.0.0.1/v1',
    'file:///etc',
    'nonsense',
  ])('T47: sends no key to %s', async (baseUrl) => {
    const secrets = createSecrets({
      environment: {},
      memory: new Map([['openai-compatible', testKey]]),
    });
    await expect(
      createOpenEmbedder({ secrets, warn: () => undefined })({
        provider: 'openai-compatible',
        model: 'm',
        baseUrl,
      }),
    ).rejects.toMatchObject({ code: 'INVALID', data: { field: 'baseUrl' } });
  });
});
