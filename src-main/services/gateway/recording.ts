import { closeSync, openSync, writeSync } from 'node:fs';
import { join, parse } from 'node:path';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { errorCode } from '../../../src-shared/domain/errorText.ts';
import { isJsonObject, type JsonObject } from '../../../src-shared/domain/json.ts';
import type {
  MessageSource,
  SessionHeader,
  SessionLine,
} from '../../../src-shared/domain/recordedSession.ts';
import type { Clock } from '../../runtime/clock.ts';
import { explainFileProblem, fileCause } from '../../runtime/fileProblem.ts';
import { Masker } from '../suites/logs/maskTexts.ts';

/** A larger message is kept without its content, with its size. */
const maxMessageLength = 1_000_000;
/** From this size on, nothing more of a session is kept. */
const maxSessionBytes = 64 * 1024 * 1024;

export interface RecordingParts {
  file: string;
  header: Omit<SessionHeader, 'format' | 'version' | 'startedAt'>;
  clock: Clock;
  /** Takes known secrets out. */
  redact: <Value>(value: Value) => Value;
  /** Told once why no more is recorded. */
  onTrouble: (why: string) => void;
}

/**
 * What a client and a server say, one line a message. Each line is handed to the system before the
 * message is passed on, so that it is kept when this program is killed. A disk that is full ends
 * the recording, and not the session.
 */
export class Recording {
  readonly #parts: RecordingParts;
  readonly #path: string;
  readonly #started: number;
  readonly #masker: Masker | null;
  /** Methods of requests that wait, because an answer doesn't say what it answers. */
  readonly #asked = new Map<string, string>();
  #file: number | null;
  #bytes = 0;

  /**
   * Begins a new file: if it exists, one with the next number. Throws INVALID or TROUBLE if none can
   * be created.
   */
  constructor(parts: RecordingParts) {
    const { clock, header, file } = parts;
    this.#parts = parts;
    this.#started = clock.monotonic();
    this.#masker = header.masked ? new Masker() : null;
    [this.#path, this.#file] = openNext(file);
    this.#write({ format: 'touchstone-session', version: 1, startedAt: clock.now(), ...header });
  }

  add(from: MessageSource, message: JsonObject): void {
    if (this.#file === null) return;
    const kept = this.#keep(this.#masked(message));
    this.#write({ ms: this.#now(), from, ...kept });
  }

  end(reason: string): void {
    if (this.#file === null) return;
    this.#write({ ms: this.#now(), ended: reason });
    this.#close();
  }

  #now(): number {
    return Math.round((this.#parts.clock.monotonic() - this.#started) * 10) / 10;
  }

  /** Secrets that the program knows are never kept; others only where they are asked for. */
  #masked(message: JsonObject): JsonObject {
    const { id = null, method, params, result } = message;
    const key = JSON.stringify(id);
    const asked = typeof method === 'string' ? method : (this.#asked.get(key) ?? '');
    if (method === undefined) this.#asked.delete(key);
    else if (id !== null) this.#asked.set(key, asked);
    const redacted = this.#parts.redact(message);
    const masker = this.#masker;
    // Definitions are public, and a stand-in in them would be a change of the tool.
    if (masker === null || /^(?:initialize|server\/discover|tools\/list)$/.test(asked))
      return redacted;
    return {
      ...redacted,
      ...(isJsonObject(params ?? null) && {
        params: masker.object(redacted['params'] as JsonObject),
      }),
      ...(isJsonObject(result ?? null) && {
        result: masker.object(redacted['result'] as JsonObject),
      }),
    };
  }

  #keep(message: JsonObject): { message: JsonObject; cutFrom?: number } {
    const { length } = JSON.stringify(message);
    if (length <= maxMessageLength) return { message };
    const { params, result, ...rest } = message;
    const name = isJsonObject(params ?? null) ? (params as JsonObject)['name'] : undefined;
    return {
      message: {
        ...rest,
        ...(params !== undefined && { params: name === undefined ? {} : { name } }),
        ...(result !== undefined && { result: {} }),
      },
      cutFrom: length,
    };
  }

  #write(line: SessionHeader | SessionLine): void {
    if (this.#file === null) return;
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(this.#file, bytes, at);
      this.#bytes += bytes.length;
      if (this.#bytes <= maxSessionBytes) return;
      this.#parts.onTrouble(
        `${this.#path} has ${maxSessionBytes / 1024 / 1024} MB. Nothing more is recorded.`,
      );
    } catch (error) {
      this.#parts.onTrouble(
        `${this.#path}: ${fileCause(error, 'write')} Nothing more is recorded.`,
      );
    }
    this.#close();
  }

  #close(): void {
    const file = this.#file;
    this.#file = null;
    if (file !== null) closeSync(file);
  }
}

/** More files of one name indicate a client that connects again and again. */
const maxFiles = 10_000;

function openNext(file: string): [path: string, handle: number] {
  const { dir, name, ext } = parse(file);
  for (let number = 1; ; number += 1) {
    const path = number === 1 ? file : join(dir, `${name}-${number}${ext}`);
    try {
      return [path, openSync(path, 'wx', 0o600)];
    } catch (error) {
      if (errorCode(error) === 'EEXIST' && number < maxFiles) continue;
      const problem = explainFileProblem(error, 'write');
      throw new ServiceError(problem?.isDiskProblem === true ? 'TROUBLE' : 'INVALID', {
        thing: path,
        cause: fileCause(error, 'write'),
        nextStep: problem?.nextStep ?? 'Choose another file.',
      });
    }
  }
}
