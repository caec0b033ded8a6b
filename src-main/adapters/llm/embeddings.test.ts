import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createEmbedder } from './embeddings.ts';

const open: Server[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

interface Asked {
  path: string;
  model: string;
  input: string[];
}

/** A real endpoint: answers with what `reply` makes of the request; null never answers. */
async function endpoint(reply: (asked: Asked) => { status?: number; body: string } | null): Promise<{ baseUrl: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
    request.on('end', () => {
      const read = { path: request.url ?? '', ...(JSON.parse(body) as Omit<Asked, 'path'>) };
      asked.push(read);
      const answer = reply(read);
      if (answer) response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' }).end(answer.body);
    });
  });
  open.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`, asked };
}

const vectors = (input: string[], of: (text: string) => number[]): string => JSON.stringify({ data: input.map((text, index) => ({ index, embedding: of(text) })).reverse() });
const signal = new AbortController().signal;

describe('createEmbedder', () => {
  it('would catch vectors of the wrong text, of another length than 1, or batches that lose one', async () => {
    const { baseUrl, asked } = await endpoint(({ input }) => ({ body: vectors(input, (text) => [text.length, 0, 3]) }));
    const texts = Array.from({ length: 130 }, (_, at) => 'x'.repeat((at % 7) + 1));
    const made = await createEmbedder({ baseUrl, model: 'm' }).embed(texts, signal);
    expect(made.length).toBe(130);
    expect(asked.map(({ path, model, input }) => [path, model, input.length])).toEqual([['/v1/embeddings', 'm', 64], ['/v1/embeddings', 'm', 64], ['/v1/embeddings', 'm', 2]]);
    made.forEach((vector, at) => {
      expect((vector[0] ?? 0) / (vector[2] ?? 1)).toBeCloseTo((texts[at]?.length ?? 0) / 3, 5);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    });
  });

  it.each([
    ['HTML', 200, '<html>', /holds no embeddings/],
    ['no data', 200, '{}', /holds no embeddings/],
    ['an error', 404, '{"error":"no such model"}', /answered 404: .*no such model/],
    ['too few vectors', 200, '{"data":[]}', /gave 0 embeddings for 2 texts/],
    ['different lengths', 200, '{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1,2]}]}', /different lengths \(1 and 2\)/],
    ['no numbers', 200, '{"data":[{"index":0,"embedding":["1"]}]}', /holds no embeddings/],
  ])('T38: an endpoint that answers with %s is trouble that names model and host', async (_what, status, body, message) => {
    const { baseUrl } = await endpoint(() => ({ status, body }));
    const asking = createEmbedder({ baseUrl, model: 'm' }).embed(['a', 'b'], signal);
    await expect(asking).rejects.toThrow(message);
    await expect(asking).rejects.toThrow(/Embeddings of m at 127\.0\.0\.1:/);
  });

  it('would catch a cancel that waits for an endpoint which never answers', async () => {
    const abort = new AbortController();
    const reached = Promise.withResolvers<void>();
    const { baseUrl } = await endpoint(() => {
      reached.resolve();
      return null;
    });
    const asking = createEmbedder({ baseUrl, model: 'm' }).embed(['a'], abort.signal);
    await reached.promise;
    abort.abort();
    await expect(asking).rejects.toThrow();
  });

  it.each(['http://example.test/v1', 'http://user:secret@127.0.0.1/v1', 'file:///etc', 'nonsense'])('T47: %s is refused before anything is sent', (baseUrl) => {
    expect(() => createEmbedder({ baseUrl, model: 'm' })).toThrow(/Base URL/);
  });
});
