import { LineCounter, parseDocument, type Document } from 'yaml';
import type { z } from 'zod';
import { errorText } from '../../../src-shared/domain/errorText.ts';
import type { JsonPath } from '../../../src-shared/domain/jsonPointer.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';

/** Far beyond any real dataset; deeper files could exhaust the stack of later steps. */
const maxDepth = 500;

/**
 * A JSON file whose errors name the line. Line numbers are only computed when there is an error.
 */
export class DataFile {
  readonly value: unknown;
  readonly name: string;
  readonly #text: string;
  readonly #kind: string;

  constructor(kind: string, name: string, text: string) {
    this.#kind = kind;
    this.name = name;
    this.#text = text.replace(/^\uFEFF/, '');
    try {
      this.value = JSON.parse(this.#text);
    } catch (error) {
      throw this.#errorAtLine(1, `It isn't valid JSON (${errorText(error)}).`);
    }
    if (depthOf(this.#text) > maxDepth)
      throw this.#errorAtLine(1, `It is nested deeper than ${maxDepth} levels.`);
  }

  errorAt(path: JsonPath, cause: string): ServiceError {
    return this.#errorAtLine(this.#lineOf(path), cause);
  }

  parse<Output>(schema: z.ZodType<Output>, value: unknown, path: JsonPath, what: string): Output {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    const issue = parsed.error.issues[0];
    const inner = (issue?.path ?? []).map((step) =>
      typeof step === 'symbol' ? String(step) : step,
    );
    throw this.errorAt(
      [...path, ...inner],
      `${what}${inner.length > 0 ? ` ${inner.join('.')}:` : ''} ` +
        (issue?.message ?? 'Its format is different.'),
    );
  }

  #errorAtLine(line: number, cause: string): ServiceError {
    return new ServiceError('INVALID', {
      thing: `${this.#kind} ${this.name}:${line}`,
      cause,
      nextStep: 'Fix the file.',
    });
  }

  #lineOf(path: JsonPath): number {
    const lines = new LineCounter();
    const parsed: Document = parseDocument(this.#text, {
      lineCounter: lines,
      schema: 'json',
      uniqueKeys: false,
      strict: false,
    });
    // A missing member is reported at the deepest part of its path that exists.
    for (let length = path.length; length >= 0; length -= 1) {
      const node: unknown = parsed.getIn(path.slice(0, length), true);
      if (typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range))
        return lines.linePos(Number(node.range[0])).line;
    }
    return 1;
  }
}

/**
 * The deepest nesting of brackets outside strings. Scans characters, so that no depth can exhaust
 * the stack.
 */
function depthOf(json: string): number {
  let [depth, deepest, inText] = [0, 0, false];
  for (let at = 0; at < json.length; at += 1) {
    const unit = json.charCodeAt(at);
    if (inText) {
      if (unit === 92) at += 1;
      else if (unit === 34) inText = false;
    } else if (unit === 34) inText = true;
    else if (unit === 123 || unit === 91) deepest = Math.max(deepest, (depth += 1));
    else if (unit === 125 || unit === 93) depth -= 1;
  }
  return deepest;
}
