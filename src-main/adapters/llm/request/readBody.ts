import { orElse } from '../../../../src-shared/domain/orElse.ts';
import { parseJson } from '../../../../src-shared/domain/exactNumber.ts';
import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json.ts';

/**
 * The JSON value of a body as endpoints write it; undefined where there is none. Besides JSON it
 * reads: a byte order mark, NaN and Infinity as null (Python's json.dumps), one event of a stream
 * with the whole answer, a list of one object (Gemini), an answer inside a member of another object,
 * and NUL or "[DONE]" after the value. Any other text after a value makes the body unreadable,
 * because what it means is unknown.
 */
export function readBody(text: string): unknown {
  const plain = text
    .replace(/^\uFEFF/, '')
    .replace(/(?:\s|\0|(?:data:\s*)?\[DONE\])+$/, '')
    .trimStart();
  const value = parse(/^(?:data|event|id|retry)?:/.test(plain) ? dataOf(plain) : plain);
  const only = onlyOf(value);
  return isJsonObject(only) ? unwrapped(only) : value;
}

const onlyOf = (value: unknown): unknown =>
  Array.isArray(value) && value.length === 1 ? (value as unknown[])[0] : value;

const wrappers = ['data', 'result', 'response', 'body'];
const isAnswer = ({ choices, message, output, content }: JsonObject): boolean =>
  isJsonObject(message) || [choices, output, content].some(Array.isArray);

/**
 * The answer inside `{ data: …, success }` (Cline, decolua/9router#3387; without `success`:
 * smallmain/vscode-unify-chat-provider#71), `{ result: … }` (Cloudflare, BerriAI/litellm#29833),
 * `{ response: … }`, or `{ statusCode, body: "…" }` (an AWS Lambda that is passed on as it is), also as
 * a list of one or as JSON text. An object that is an answer or an event of a stream stays as it is.
 */
export function unwrapped(body: JsonObject): JsonObject {
  if (isAnswer(body) || typeof body['type'] === 'string') return body;
  for (const name of wrappers) {
    const given = body[name];
    const isText = typeof given === 'string' && /^\s*[[{]/.test(given);
    const only = onlyOf(isText ? parse(given) : given);
    // Embeddings and models are a list within `data`.
    if (isJsonObject(only) && (isAnswer(only) || Array.isArray(only['data']))) return only;
  }
  return body;
}

/** The data of a stream with one event; several events aren't an answer but parts of one. */
function dataOf(stream: string): string {
  const events = stream.split(/\r?\n\r?\n/).flatMap((event) => {
    const lines = event.split(/\r?\n/).flatMap((line) => /^data:\s?(.*)$/.exec(line)?.[1] ?? []);
    return lines.length === 0 ? [] : [lines.join('\n')];
  });
  return events.length === 1 ? (events[0] ?? '') : stream;
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    if (!/NaN|Infinity/.test(text)) return undefined;
  }
  return orElse(
    () =>
      parseJson(
        text.replace(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g, (found) =>
          found.startsWith('"') ? found : 'null',
        ),
      ),
    undefined,
  );
}
