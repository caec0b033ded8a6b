import { z } from 'zod';
import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import type { EmbeddingModel } from '../../../../src-shared/domain/similarity.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import { ChatFailure } from '../chatModel.ts';
import { createOpenAiClient } from '../request/openAiClient.ts';
import { noAdditions, type ReadAdditions } from '../request/additions.ts';
import { bearer, openEndpoint } from '../request/openEndpoint.ts';
import type { Embedder } from './embedder.ts';
import { openLocalEncoder } from './local/openLocalEncoder.ts';
import { readAnswerAs } from '../request/readAnswer.ts';
import { sendWithRetries } from '../request/sendWithRetries.ts';
import { Throttle } from '../request/throttle.ts';
import { systemTiming, type Timing } from '../request/timing.ts';

/** Throws ServiceError INVALID where the model can't be used, before anything is sent. */
export type OpenEmbedder = (model: EmbeddingModel) => Promise<Embedder>;

export interface EmbedderParts {
  warn?: (message: string) => void;
  secrets: Secrets;
  contacted?: (host: string) => void;
  timing?: Timing;
  /** Default: the embedding model has none. */
  additions?: ReadAdditions;
  /** Moves credentials that are written out to the key store. */
  keep?: (model: EmbeddingModel) => Promise<EmbeddingModel>;
}

const batchSize = 96;
/** Endpoints reject longer texts, and what matters about a tool comes first. */
const maxTextLength = 20_000;
const timeoutMs = 60_000;
const maxRetries = 3;

const answerShape = z.looseObject({
  data: z.array(
    z.looseObject({
      index: z.number().int().nonnegative().nullish(),
      embedding: z.array(z.number()).min(1).max(65_536),
    }),
  ),
});

/**
 * Embeddings by an encoder on this computer, or through the official SDK by OpenAI or any endpoint
 * that speaks its API.
 */
export function createOpenEmbedder(given: EmbedderParts): OpenEmbedder {
  const {
    warn = (message: string) => process.emitWarning(message),
    secrets,
    contacted = () => undefined,
    timing = systemTiming,
    additions = async () => noAdditions,
    keep = async (model) => model,
  } = given;
  return async (asked) => {
    if (asked.provider === 'local') return openLocalEncoder(asked.model);
    const kept = await keep(asked);
    const { provider, model, ...address } = { ...kept, provider: asked.provider };
    const endpoint = await openEndpoint({ provider, ...address }, bearer, {
      secrets,
      warn,
      contacted,
      additions,
    });
    const client = await createOpenAiClient(endpoint);
    const throttle = new Throttle(timing);
    const thing = `Embedding model ${model} at ${endpoint.thing}`;

    async function batch(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
      const input = texts.map((text) => text.slice(0, maxTextLength));
      const { value } = await sendWithRetries(
        async (each) =>
          await (
            await client.embeddings
              .create(
                { model, input, encoding_format: 'float', ...endpoint.additions.body },
                { signal: each },
              )
              .asResponse()
          ).text(),
        { thing, timeoutMs, maxRetries, signal, timing, throttle, requestsPerMinute: null },
      );
      const answer = readAnswerAs(value, answerShape, thing);
      const vectors = new Array<Float32Array | undefined>(texts.length);
      for (const [at, { index, embedding }] of answer.data.entries())
        vectors[index ?? at] = Float32Array.from(embedding);
      const whole = vectors.filter((vector) => vector !== undefined);
      if (whole.length !== texts.length || vectors.length !== texts.length)
        throw new ChatFailure(
          'provider',
          `${thing} gave ${answer.data.length} vectors for ${texts.length} texts.`,
        );
      return whole;
    }

    return {
      thing,
      kept,
      async embed(texts, { signal, onBatch }) {
        const vectors: Float32Array[] = [];
        try {
          for (let at = 0; at < texts.length; at += batchSize) {
            const part = texts.slice(at, at + batchSize);
            const found = await batch(part, signal);
            const odd = found.find(({ length }) => length !== (vectors[0] ?? found[0])?.length);
            if (odd)
              throw new ChatFailure(
                'provider',
                `${thing} gave vectors of different lengths: ` +
                  `${(vectors[0] ?? found[0])?.length ?? 0} and ${odd.length}.`,
              );
            vectors.push(...found);
            onBatch?.(part, found);
          }
        } catch (error) {
          if (error instanceof ChatFailure) {
            throw new ServiceError(
              'TROUBLE',
              {
                thing,
                cause: withStop(error.message.replace(`${thing}: `, '')),
                nextStep:
                  'Check that the endpoint serves this embedding model, or compare without one.',
              },
              { cause: error },
            );
          }
          throw error;
        }
        return vectors;
      },
    };
  };
}

const withStop = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);
