import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json.ts';
import { excerpt } from './excerpt.ts';
import { readBody } from './readBody.ts';

/** What an error says besides its status, wherever its endpoint puts that. */
export interface ErrorFacts {
  message: string;
  /** Codes, types, statuses and reasons, in lower case without `_`, `.`, spaces and `-`. */
  codes: readonly string[];
  /** The names of refused parameters. */
  params: readonly string[];
  /** The whole paths of refused parts, as validators give them. */
  paths: readonly string[];
  /** A status that the body gives; null if it gives none. */
  status: number | null;
  /** How long to wait, as the body says (Google's RetryInfo, `retry_after`); null if it doesn't. */
  retryDelay: string | null;
  /** The quotas that were exceeded, as Google names them. */
  quotas: readonly string[];
  /** The text of the request was flagged (OpenRouter). */
  isFlagged: boolean;
  /** Headers that a gateway repeats in its body (OpenRouter). */
  headers: Readonly<Record<string, string>>;
}

const codeNames = new Set([
  ...['code', 'type', 'status', 'reason', 'error_type', 'error_code', 'errorCode', '__type'],
  ...['status_code', 'statusCode', 'native_finish_reason'],
]);
const innerNames = [
  ...['error', 'errors', 'detail', 'details', 'innererror', 'inner_error', 'metadata', 'cause'],
  ...['raw', 'message', 'violations', 'base_resp'],
];
const maxDepth = 12;

/**
 * The facts of an error's body. Shapes read: OpenAI and Azure `{ error: { message, type, param, code,
 * innererror } }`, Anthropic `{ type: "error", error: { type } }`, Google `[{ error: { status,
 * details } }]`, vLLM and Mistral `{ object: "error", message, type, code }`, FastAPI `{ detail }`,
 * Ollama `{ error: "…" }`, Cloudflare `{ errors: [] }`, and OpenRouter's and LiteLLM's errors of
 * others as JSON in a text.
 */
export function errorFacts(text: string): ErrorFacts {
  const facts = {
    message: '',
    codes: [] as string[],
    params: [] as string[],
    paths: [] as string[],
    status: null as number | null,
    retryDelay: null as string | null,
    quotas: [] as string[],
    isFlagged: false,
    headers: {} as Record<string, string>,
  };
  const visit = (value: unknown, depth: number): void => {
    if (depth > maxDepth) return;
    if (Array.isArray(value)) for (const each of value as unknown[]) visit(each, depth + 1);
    else if (typeof value === 'string') {
      const inner = /^\s*[[{]/.test(value) ? readBody(value) : undefined;
      if (inner !== undefined) visit(inner, depth + 1);
      else if (value.trim() !== '') facts.message ||= value;
    } else if (isJsonObject(value)) visitObject(value, depth);
  };
  const visitObject = (value: JsonObject, depth: number): void => {
    for (const [name, each] of Object.entries(value)) {
      if (codeNames.has(name) && (typeof each === 'string' || typeof each === 'number')) {
        facts.codes.push(squash(each));
        const status = Number(each);
        if (status >= 400 && status < 600) facts.status ??= status;
      }
      if (name === 'param' && typeof each === 'string') facts.params.push(each);
      if (name === 'loc' && Array.isArray(each)) facts.paths.push(each.map(String).join('.'));
      // FastAPI: ["body", "tools", 0, "function", "parameters"].
      if (name === 'loc' && Array.isArray(each) && typeof each[1] === 'string')
        facts.params.push(each[1]);
      if (/^(?:retryDelay|retry_after|retryAfter|estimated_time)$/.test(name) && each !== null)
        facts.retryDelay ??= typeof each === 'object' ? null : String(each);
      if ((name === 'quotaId' || name === 'quota_limit') && typeof each === 'string')
        facts.quotas.push(each);
      if (name === 'flagged_input' || (name === 'reasons' && Array.isArray(each)))
        facts.isFlagged = true;
      if (name === 'headers' && isJsonObject(each))
        for (const [header, given] of Object.entries(each))
          if (typeof given === 'string' || typeof given === 'number')
            facts.headers[header.toLowerCase()] = String(given);
    }
    // What is said inside is more exact than what a gateway says about it.
    const { msg, title, status_msg: said } = value;
    for (const name of innerNames) if (name !== 'message') visit(value[name], depth + 1);
    visit([value['message'], msg, title, said], depth + 1);
  };
  const body = readBody(text);
  visit(body === undefined ? null : body, 0);
  return { ...facts, message: excerpt(facts.message === '' ? text : facts.message) };
}

export const squash = (code: string | number): string =>
  String(code)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
