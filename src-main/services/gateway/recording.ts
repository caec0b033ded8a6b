import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';
import { join, parse } from 'node:path';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { errorCode, errorText } from '../../../src-shared/domain/errorText.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import type {
  MessageSource,
  SessionHeader,
  SessionLine,
} from '../../../src-shared/domain/recordedSession.ts';
import type { Clock } from '../../runtime/clock.ts';
import { explainFileProblem, fileCause } from '../../runtime/fileProblem.ts';
import { Masker } from '../suites/logs/maskTexts.ts';

/** Requests that are answered with definitions, which are public. */
const definitions = /^(?:initialize|server\/discover|tools\/list)$/;
/** A larger message is kept without its content, with its size. */
const maxMessageLength = 1_000_000;
/** From this size on, nothing more of a session is kept. */
const maxSessionBytes = 64 * 1024 * 1024;

export interface RecordingParts {
  file: string;
  header: Omit<SessionHeader, 'format' | 'version' | 'startedAt'>;
  clock: Clock;
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
  #path: string;
  readonly #header: SessionHeader;
  readonly #started: number;
  readonly #masker: Masker | null;
  /** Requests for definitions that wait, by who asked: an answer doesn't say what it answers. */
  readonly #defining = new Set<string>();
  /** How the client introduced itself. */
  #hello: SessionLine | null = null;
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
    this.#header = { format: 'touchstone-session', version: 1, startedAt: clock.now(), ...header };
    this.#write(this.#header);
  }

  /** @param to whom an answer of the gateway is for, if not the client */
  add(from: MessageSource, message: JsonObject, to?: 'server'): void {
    if (this.#file === null) return;
    const { message: cut, ...size } = this.#cut(message);
    // What is cut isn't searched either.
    const kept = this.#masked(from, cut);
    const line = { ms: this.#now(), from, ...(to && { to }), message: kept, ...size };
    this.#continue();
    this.#write(line);
    if (message['method'] === 'initialize') this.#hello = line;
  }

  end(reason: string): void {
    if (this.#file === null) return;
    this.#continue();
    this.#write({ ms: this.#now(), ended: reason });
    this.#close();
  }

  #now(): number {
    return Math.round((this.#parts.clock.monotonic() - this.#started) * 10) / 10;
  }

  /** Secrets that the program knows are never kept; others only where they are asked for. */
  #masked(from: MessageSource, message: JsonObject): JsonObject {
    const isDefinition = this.#isDefinition(from, message);
    const redacted = this.#parts.redact(message);
    const masker = this.#masker;
    // A stand-in in a definition would be a change of the tool.
    if (masker === null || isDefinition) return redacted;
    const said = Object.entries(redacted).filter(([name]) => contents.has(name));
    return { ...redacted, ...masker.object(Object.fromEntries(said)) };
  }

  #isDefinition(from: MessageSource, { id = null, method, error }: JsonObject): boolean {
    if (typeof method === 'string') {
      const isAsked = definitions.test(method);
      if (isAsked && id !== null) this.#defining.add(keyOf(from, id));
      return isAsked;
    }
    const asker = from === 'client' ? 'server' : 'client';
    return from !== 'gateway' && this.#defining.delete(keyOf(asker, id)) && error === undefined;
  }

  #cut(message: JsonObject): { message: JsonObject; cutFrom?: number } {
    const { length } = JSON.stringify(message);
    if (length <= maxMessageLength) return { message };
    const { params, result, error, ...rest } = message;
    const name = isJsonObject(params ?? null) ? (params as JsonObject)['name'] : undefined;
    return {
      message: {
        ...rest,
        ...(params !== undefined && { params: name === undefined ? {} : { name } }),
        ...(result !== undefined && { result: {} }),
        ...(error !== undefined && {
          error: isJsonObject(error) ? { code: error['code'] ?? null } : {},
        }),
      },
      cutFrom: length,
    };
  }

  /** A session that was deleted while it runs goes on in a file of its own. */
  #continue(): void {
    if (this.#file === null || fstatSync(this.#file).nlink > 0) return;
    closeSync(this.#file);
    try {
      [this.#path, this.#file] = openNext(this.#parts.file);
    } catch (error) {
      this.#file = null;
      this.#parts.onTrouble(`${errorText(error)} Nothing more is recorded.`);
      return;
    }
    this.#bytes = 0;
    this.#write(this.#header);
    if (this.#hello !== null) this.#write(this.#hello);
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

/** The members of a message that say something. */
const contents: ReadonlySet<string> = new Set(['params', 'result', 'error']);

const keyOf = (asker: MessageSource, id: JsonValue): string => `${asker} ${JSON.stringify(id)}`;

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
