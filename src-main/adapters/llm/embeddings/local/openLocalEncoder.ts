import { Worker } from 'node:worker_threads';
import { ServiceError } from '../../../../../src-shared/contract/errors.ts';
import type { Embedder } from '../embedder.ts';
import { readEncoderFolder } from './encoderFolder.ts';
import type { EncoderAnswer } from './encoderWorker.ts';
import { besideModule } from '../../../../runtime/besideModule.ts';

/** Few texts at once: each batch is as wide as its longest text. */
const batchSize = 16;

const workerEntry = besideModule(import.meta.url, 'encoderWorker');

/**
 * Embeddings by an encoder in a folder of this computer, in a worker thread that lives for one call.
 * Throws ServiceError INVALID where the folder lacks something.
 */
export async function openLocalEncoder(
  path: string,
  lookIn?: readonly string[],
): Promise<Embedder> {
  const folder = await readEncoderFolder(path, lookIn);
  const { thing, identity } = folder;
  return {
    thing,
    identity,
    async embed(texts, { signal, onBatch }) {
      signal.throwIfAborted();
      if (texts.length === 0) return [];
      const worker = new Worker(workerEntry, { workerData: folder });
      const stop = (): void => void worker.terminate();
      signal.addEventListener('abort', stop, { once: true });
      try {
        const vectors: Float32Array[] = [];
        for (let at = 0; at < texts.length; at += batchSize) {
          const part = texts.slice(at, at + batchSize);
          const found = await ask(worker, part);
          signal.throwIfAborted();
          vectors.push(...found);
          onBatch?.(part, found);
        }
        return vectors;
      } catch (error) {
        signal.throwIfAborted();
        throw new ServiceError(
          'TROUBLE',
          {
            thing,
            cause: error instanceof Error ? error.message : String(error),
            nextStep: 'Choose the folder of a sentence encoder in ONNX format.',
          },
          { cause: error },
        );
      } finally {
        signal.removeEventListener('abort', stop);
        await worker.terminate();
      }
    },
  };
}

function ask(worker: Worker, texts: readonly string[]): Promise<Float32Array[]> {
  return new Promise((settle, reject) => {
    const ended = (code: number): void =>
      reject(new Error(`The encoder ended without an answer (exit code ${code}).`));
    const answered = (answer: EncoderAnswer): void => {
      worker.off('exit', ended);
      worker.off('error', reject);
      if ('error' in answer) reject(new Error(answer.error));
      else settle(answer.vectors);
    };
    worker.once('message', answered);
    worker.once('error', reject);
    worker.once('exit', ended);
    worker.postMessage(texts);
  });
}
