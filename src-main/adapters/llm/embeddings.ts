import { z } from 'zod';
import { ServiceError } from '../../../src-shared/contract/errors.ts';

export interface EmbeddingEndpoint {
  /** Up to and including the version, as in `http://127.0.0.1:11434/v1`. */
  baseUrl: string;
  model: string;
}

export interface Embedder {
  /** One vector for each text, in order, each of length 1 (or 0 where the model gave zeros). */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>;
}

const reply = z.object({ data: z.array(z.object({ index: z.number().int().min(0), embedding: z.array(z.number()).min(1).max(65_536) })) });
const batchSize = 64;
const deadlineMs = 60_000;
const maximumBytes = 64 * 1024 * 1024;

/** Asks a compatible endpoint for embeddings, in batches. No key is sent: for endpoints of one's own. Throws INVALID for an address that can't be used, TROUBLE for an endpoint that gives none. */
export function createEmbedder({ baseUrl, model }: EmbeddingEndpoint): Embedder {
  const address = checkedAddress(baseUrl);
  const thing = `Embeddings of ${model} at ${address.host}`;
  const trouble = (cause: string): ServiceError => new ServiceError('TROUBLE', { thing, cause, nextStep: 'Check the address and that the endpoint serves this embedding model.' });

  async function batch(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    const deadline = AbortSignal.timeout(deadlineMs);
    let text: string;
    try {
      const response = await fetch(new URL(`${address.pathname.replace(/\/+$/, '')}/embeddings`, address), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model, input: texts, encoding_format: 'float' }),
        redirect: 'error',
        signal: AbortSignal.any([signal, deadline]),
      });
      text = await cappedText(response, maximumBytes);
      if (!response.ok) throw trouble(`It answered ${response.status}: ${text.slice(0, 200).trim() || 'no text.'}`);
    } catch (error) {
      if (error instanceof ServiceError || signal.aborted) throw error;
      throw trouble(deadline.aborted ? `It gave no answer in ${deadlineMs / 1000} s.` : `It can't be reached (${reason(error)}).`);
    }
    const parsed = reply.safeParse(parseJson(text));
    if (!parsed.success) throw trouble(`Its answer holds no embeddings: ${text.slice(0, 200)}`);
    const vectors = new Array<Float32Array | undefined>(texts.length);
    for (const { index, embedding } of parsed.data.data) vectors[index] = unit(embedding);
    const complete = vectors.filter((vector) => vector !== undefined);
    if (complete.length !== texts.length) throw trouble(`It gave ${complete.length} embeddings for ${texts.length} texts.`);
    return complete;
  }

  return {
    async embed(texts, signal) {
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += batchSize) vectors.push(...(await batch(texts.slice(at, at + batchSize), signal)));
      const odd = vectors.find((vector) => vector.length !== vectors[0]?.length);
      if (odd) throw trouble(`Its embeddings have different lengths (${vectors[0]?.length ?? 0} and ${odd.length}).`);
      return vectors;
    },
  };
}

function checkedAddress(baseUrl: string): URL {
  const address = URL.parse(baseUrl);
  const refuse = (cause: string): ServiceError => new ServiceError('INVALID', { thing: 'Base URL', cause, nextStep: 'Give an address such as http://127.0.0.1:11434/v1.', field: 'baseUrl' });
  if (!address || !/^https?:$/.test(address.protocol)) throw refuse('It is no http or https address.');
  if (address.username || address.password) throw refuse('It holds a user name or password.');
  if (address.protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(address.hostname)) throw refuse('It is plain http to another machine, where anyone on the way could read along.');
  return address;
}

async function cappedText(response: Response, cap: number): Promise<string> {
  if (!response.body) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body as ReadableStream<Uint8Array>) {
    size += chunk.length;
    if (size > cap) throw new Error(`the answer is larger than ${cap / 1024 / 1024} MB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function unit(vector: readonly number[]): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return Float32Array.from(vector, (value) => (length === 0 ? 0 : value / length));
}

function reason(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
