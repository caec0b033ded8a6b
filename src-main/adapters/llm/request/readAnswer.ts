import type { z } from 'zod';
import { parseJson } from '../../../../src-shared/domain/exactNumber.ts';
import { isJson, isJsonObject, type JsonObject } from '../../../../src-shared/domain/json.ts';
import { ChatFailure } from '../chatModel.ts';
import { maxStoredDepth } from '../wire/readCall.ts';
import { excerpt } from './classifyFailure.ts';

/**
 * The body of an answer, checked before anything reads it. Status 200 proves nothing: the body may
 * be a page, half an object or empty.
 */
export function readAnswer<Shape extends z.ZodType>(
  text: string,
  shape: Shape,
  thing: string,
): { body: JsonObject; answer: z.infer<Shape> } {
  const body = parse(text, thing);
  const read = shape.safeParse(body);
  if (read.success) return { body, answer: read.data };
  const [issue] = read.error.issues;
  throw new ChatFailure(
    'provider',
    `${thing} sent an incomplete answer (${issue?.path.join('.') || 'whole'}: ` +
      `${issue?.message ?? ''}): ${excerpt(text)}`,
    { response: body },
  );
}

function parse(text: string, thing: string): JsonObject {
  let body: unknown;
  try {
    body = parseJson(text);
  } catch (error) {
    throw new ChatFailure('provider', `${thing} sent an answer that isn't JSON: ${excerpt(text)}`, {
      cause: error,
    });
  }
  if (isJsonObject(body) && isJson(body, maxStoredDepth)) return body;
  throw new ChatFailure(
    'provider',
    `${thing} sent an answer that isn't an object, or is nested too deeply: ${excerpt(text)}`,
  );
}
