import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json.ts';
import { nonEmptyText } from '../exchange/values.ts';

const maxOpen = 100_000;

/** A request and its answer that were logged apart, as one record. */
export interface JoinedRequest {
  value: JsonObject;
  line: number;
}

/**
 * Requests of a batch and their results, which are lines of two files and have an ID in common, in any
 * order: Anthropic (https://platform.claude.com/docs/en/build-with-claude/batch-processing) and OpenAI
 * (https://platform.openai.com/docs/guides/batch).
 */
export class Batches {
  readonly #requests = new Map<string, JsonObject>();
  readonly #answers = new Map<string, JsonObject>();
  /** How many results have no request, and the other way round. */
  get alone(): number {
    return this.#requests.size + this.#answers.size;
  }

  /** The request with its answer once both were read, or null; undefined for every other record. */
  take(record: JsonObject, line: number): JoinedRequest | null | undefined {
    const id = nonEmptyText(record['custom_id']);
    if (id === null) return undefined;
    const request = objectAt(record, 'params') ?? objectAt(record, 'body');
    const answer = answerOf(record);
    if (request === null && answer === undefined) return undefined;
    // A request that failed, was canceled or expired has no answer.
    if (answer === null) return null;
    const [own, others] =
      request === null ? [this.#answers, this.#requests] : [this.#requests, this.#answers];
    const other = others.get(id);
    const part = request ?? answer ?? {};
    if (other === undefined) {
      if (own.size < maxOpen) own.set(id, part);
      return null;
    }
    others.delete(id);
    return {
      line,
      value:
        request === null ? { request: other, response: part } : { request: part, response: other },
    };
  }
}

const objectAt = (object: JsonObject, name: string): JsonObject | null => {
  const value = object[name] ?? null;
  return isJsonObject(value) ? value : null;
};

/** What a result has of an answer; null if it has none, undefined for a record that is no result. */
function answerOf(record: JsonObject): JsonObject | null | undefined {
  const result = objectAt(record, 'result');
  if (result !== null) return objectAt(result, 'message');
  if (!('response' in record)) return undefined;
  const response = objectAt(record, 'response');
  const code = response?.['status_code'];
  if (response === null || (typeof code === 'number' && code >= 400)) return null;
  return objectAt(response, 'body');
}
