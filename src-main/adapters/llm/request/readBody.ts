import { parseJson } from '../../../../src-shared/domain/exactNumber.ts';
import { isJsonObject } from '../../../../src-shared/domain/json.ts';

/**
 * The JSON value of a body as endpoints write it; undefined where there is none. Besides JSON it
 * reads: a byte order mark, NaN and Infinity as null (Python's json.dumps), one event of a stream
 * with the whole answer, a list of one object (Gemini), and NUL or "[DONE]" after the value. Any
 * other text after a value makes the body unreadable, because what it means is unknown.
 */
export function readBody(text: string): unknown {
  const plain = text
    .replace(/^\uFEFF/, '')
    .replace(/(?:\s|\0|(?:data:\s*)?\[DONE\])+$/, '')
    .trimStart();
  const value = parse(/^(?:data|event|id|retry)?:/.test(plain) ? dataOf(plain) : plain);
  return Array.isArray(value) && value.length === 1 && isJsonObject(value[0]) ? value[0] : value;
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
  try {
    return parseJson(
      text.replace(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g, (found) =>
        found.startsWith('"') ? found : 'null',
      ),
    );
  } catch {
    return undefined;
  }
}
