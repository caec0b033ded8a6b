import type { Readable } from 'node:stream';
import { parseJson } from '../../../src-shared/domain/exactNumber.ts';
import { isJsonObject, type JsonObject } from '../../../src-shared/domain/json.ts';
import { orElse } from '../../../src-shared/domain/orElse.ts';

const newline = 0x0a;
const parseError = -32_700;

/**
 * A client over standard input and output. The SDK's transport rounds numbers that no double holds,
 * and drops messages that its schemas refuse; a gateway passes both on.
 */
export class StdioClient {
  onmessage?: (message: never) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #input: Readable;
  readonly #output: NodeJS.WritableStream;
  #parts: Buffer[] = [];

  /** @param input lines of limited length */
  constructor(input: Readable, output: NodeJS.WritableStream) {
    this.#input = input;
    this.#output = output;
  }

  start(): Promise<void> {
    this.#input.on('data', (chunk: Buffer) => this.#read(chunk));
    this.#input.once('error', (error) => this.onerror?.(error));
    return Promise.resolve();
  }

  send(message: JsonObject): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#output.write(`${JSON.stringify(message)}\n`, (error) => {
        if (error instanceof Error) reject(error);
        else resolve();
      });
    });
  }

  close(): Promise<void> {
    this.#input.removeAllListeners('data');
    this.onclose?.();
    return Promise.resolve();
  }

  #read(chunk: Buffer): void {
    for (let start = 0; start < chunk.length;) {
      const end = chunk.indexOf(newline, start);
      this.#parts.push(chunk.subarray(start, end === -1 ? chunk.length : end));
      if (end === -1) return;
      const line = Buffer.concat(this.#parts).toString('utf8').trim();
      this.#parts = [];
      start = end + 1;
      if (line !== '') this.#take(line);
    }
  }

  #take(line: string): void {
    const value = orElse(() => parseJson(line), undefined);
    // Several messages at once are a list in versions of the protocol before 2025-06-18.
    for (const message of Array.isArray(value) ? value : [value])
      if (isJsonObject(message)) this.onmessage?.(message as never);
      else {
        const error = { code: parseError, message: 'Parse error: the line is not JSON.' };
        void this.send({ jsonrpc: '2.0', id: null, error });
      }
  }
}
