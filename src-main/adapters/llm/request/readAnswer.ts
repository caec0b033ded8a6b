import type { z } from 'zod';
import { isJson, isJsonObject, type JsonObject } from '../../../../src-shared/domain/json.ts';
import { ChatFailure } from '../chatModel.ts';
import { maxStoredDepth } from '../wire/readCall.ts';
import { AnsweredError } from './endpointErrors.ts';
import { excerpt } from './excerpt.ts';
import { readBody } from './readBody.ts';

/**
 * The body of an answer as an object. Status 200 proves nothing: the body may be a page, half an
 * object, empty, or an error. Throws ChatFailure where it is no object, AnsweredError where it is an
 * error in place of an answer.
 */
export function readAnswer(text: string, thing: string): JsonObject {
  const body = readBody(text);
  if (body === undefined)
    throw new ChatFailure('provider', `${thing} sent an answer that isn't JSON: ${excerpt(text)}`);
  if (isJsonObject(body) && isJson(body, maxStoredDepth)) {
    if (isError(body)) throw new AnsweredError(200, text);
    return body;
  }
  throw new ChatFailure(
    'provider',
    `${thing} sent an answer that isn't an object, or is nested too deeply: ${excerpt(text)}`,
  );
}

/**
 * `{ error: … }` (OpenRouter, LiteLLM and Ollama answer errors of others with status 200), Messages'
 * `{ type: "error" }`, vLLM's `{ object: "error" }`, Cloudflare's `{ success: false }`, MiniMax's
 * `{ base_resp: { status_code } }`, and `{ code: 429, msg, data: null }` of gateways.
 */
function isError({
  error,
  type,
  object,
  success,
  choices,
  base_resp: base,
  ...body
}: JsonObject): boolean {
  const hasAnswer = (value: unknown): boolean =>
    isJsonObject(value) || (Array.isArray(value) && value.length > 0);
  // A gateway may put an empty choice beside the error of the provider behind it.
  const isAnswer =
    ['output', 'content', 'message', 'data'].some((name) => hasAnswer(body[name])) ||
    (Array.isArray(choices) &&
      choices.filter(isJsonObject).some(({ message, text }) => {
        const { content, tool_calls: calls } = isJsonObject(message)
          ? message
          : ({ content: text ?? null } as JsonObject);
        return (
          hasAnswer(calls) || hasAnswer(content) || (typeof content === 'string' && content !== '')
        );
      }));
  if (isAnswer) return false;
  const isNamed = isJsonObject(error) || (typeof error === 'string' && error.trim() !== '');
  // A response that failed is read by its format, which knows that the model had begun.
  const isResponse = object === 'response';
  const isOfMiniMax =
    isJsonObject(base) && ![0, undefined, null].includes(base['status_code'] as 0);
  return (
    (isNamed && !isResponse) ||
    type === 'error' ||
    object === 'error' ||
    success === false ||
    (Number(body['code']) >= 400 && ['msg', 'message'].some((name) => body[name] != null)) ||
    isOfMiniMax
  );
}

/** As above, with the members that the shape names. Throws ChatFailure where they aren't there. */
export function readAnswerAs<Shape extends z.ZodType>(
  text: string,
  shape: Shape,
  thing: string,
): z.infer<Shape> {
  const body = readAnswer(text, thing);
  const read = shape.safeParse(body);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw incompleteAnswer(
    thing,
    `${issue?.path.join('.') || 'whole'}: ${issue?.message ?? ''}`,
    body,
  );
}

/** An answer without what every answer has. */
export const incompleteAnswer = (thing: string, missing: string, body: JsonObject): ChatFailure =>
  new ChatFailure(
    'provider',
    `${thing} sent an incomplete answer (${missing}): ${excerpt(JSON.stringify(body))}`,
    { response: body },
  );
