import { randomUUID } from 'node:crypto';

/** Where every case shows other tools nothing is sent twice, and there is nothing to keep. */
const maxTexts = 200;

/**
 * The tools of an evaluation are the same text in thousands of requests: it is written once. What
 * goes through the SDK instead is a list that is written as a mark, which nothing in a request can
 * hold by chance; on its way out the mark is replaced by the text, so that the bytes sent are those
 * of the whole request.
 */
export class ToolTexts {
  readonly #prefix = randomUUID();
  readonly #marks = new WeakMap<readonly object[], object[]>();
  readonly #texts: string[] = [];

  /** The same body with the mark in the place of its tools. */
  mark<Body extends object>(body: Body): Body {
    if (!('tools' in body) || !Array.isArray(body.tools)) return body;
    const marked = this.#markOf(body.tools as object[]);
    return marked === null ? body : { ...body, tools: marked };
  }

  /** The text of a request with its tools in the place of their mark. */
  fill(text: string): string {
    const at = text.indexOf(this.#prefix);
    if (at < 0) return text;
    const end = text.indexOf('"', at);
    return `${text.slice(0, at - 1)}${this.#texts[Number(text.slice(at + this.#prefix.length, end))] ?? ''}${text.slice(end + 1)}`;
  }

  #markOf(tools: readonly object[]): object[] | null {
    const known = this.#marks.get(tools);
    if (known) return known;
    if (this.#texts.length >= maxTexts) return null;
    const mark = `${this.#prefix}${this.#texts.length}`;
    this.#texts.push(JSON.stringify(tools));
    const marked: object[] = Object.defineProperty([], 'toJSON', { value: () => mark });
    this.#marks.set(tools, marked);
    return marked;
  }
}
