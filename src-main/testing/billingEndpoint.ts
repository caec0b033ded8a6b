import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** What an endpoint does with a request. Whatever has a usage was billed. */
export interface Billed {
  /** Waits before it answers. */
  after?: Promise<unknown>;
  status?: number;
  /** The body besides its usage; absent: a text as answer. */
  body?: object;
  usage?: { prompt_tokens: number; completion_tokens: number };
}

const answered = (content: string) => ({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
});

/**
 * A Chat Completions endpoint on loopback that keeps books: every request, and the tokens that it
 * billed, whether or not anybody read its answer.
 */
export async function startBillingEndpoint(
  rule: (request: { n: number; model: string; text: string }) => Billed,
) {
  const bills: { model: string; input: number; output: number }[] = [];
  let requests = 0;
  let listeners: (() => void)[] = [];
  const server = createServer((request, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const { model } = JSON.parse(text) as { model: string };
      const billed = rule({ n: requests, model, text });
      requests += 1;
      for (const listener of listeners) listener();
      void (billed.after ?? Promise.resolve()).then(() => {
        const { usage, status = 200, body = answered('Done.') } = billed;
        if (usage)
          bills.push({ model, input: usage.prompt_tokens, output: usage.completion_tokens });
        response
          .writeHead(status, { 'content-type': 'application/json' })
          .end(JSON.stringify({ ...body, ...(usage && { usage }) }));
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    bills,
    get requests() {
      return requests;
    },
    /** Settles once this many requests have arrived. */
    async arrived(count: number): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      const listener = () => {
        if (requests >= count) resolve();
      };
      listeners.push(listener);
      listener();
      await promise;
      listeners = listeners.filter((each) => each !== listener);
    },
    /** US dollars of everything that was billed. */
    total: (price: { inputUsd: number; outputUsd: number }): number =>
      bills.reduce(
        (sum, { input, output }) =>
          sum + (input * price.inputUsd + output * price.outputUsd) / 1_000_000,
        0,
      ),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
