import { randomUUID } from 'node:crypto';

/** Where every case has other tools, no list is sent twice and more need not be kept. */
const maxTexts = 200;

/**
 * The tools of an evaluation are the same text in thousands of requests, so they are serialized
 * once. The SDK gets a list that is serialized as a random marker, and `fill` replaces the marker
 * by the text: the bytes sent are those of the whole request.
 */
export class ToolTexts {
  readonly #prefix = randomUUID();
  readonly #marks = new WeakMap<readonly object[], object[]>();
  readonly #texts: string[] = [];

  /** The same body with a marker in place of its tools. */
  mark<Body extends object>(body: Body): Body {
    if (!('tools' in body) || !Array.isArray(body.tools)) return body;
    const marked = this.#markOf(body.tools as object[]);
    return marked === null ? body : { ...body, tools: marked };
  }

  /** The text of a request with its tools in place of their marker. */
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
