import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';
import { textNamed } from './codeNames.ts';

/** By how they are written: a literal is another object each time. */
const stickies = new Map<string, RegExp>();
function stickyOf(pattern: RegExp): RegExp {
  if (pattern.sticky) return pattern;
  const written = String(pattern);
  const sticky = stickies.get(written) ?? new RegExp(pattern.source, `${pattern.flags}y`);
  stickies.set(written, sticky);
  return sticky;
}

/** A place in the text of a program, and the lines of what was read from it. */
export class CodeReader {
  protected readonly text: string;
  protected place = 0;
  readonly #lines: WeakMap<object, number>;
  readonly #lineStarts: number[] = [0];
  readonly #named = new Map<string, string | undefined>();

  constructor(text: string, lines = new WeakMap<object, number>()) {
    this.text = text;
    this.#lines = lines;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1))
      this.#lineStarts.push(at + 1);
  }

  get at(): number {
    return this.place;
  }

  /** The line in which a value that was read begins; null for any other. */
  lineOf(value: object): number | null {
    return this.#lines.get(value) ?? null;
  }

  /** Keeps the line of a value that begins at a place. */
  mark<Value extends JsonObject | JsonValue[]>(value: Value, at: number): Value {
    let [low, high] = [0, this.#lineStarts.length];
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if ((this.#lineStarts[middle] ?? 0) <= at) low = middle;
      else high = middle;
    }
    this.#lines.set(value, low + 1);
    return value;
  }

  protected take(pattern: RegExp): RegExpExecArray | null {
    const sticky = stickyOf(pattern);
    sticky.lastIndex = this.place;
    const found = sticky.exec(this.text);
    if (found !== null) this.place += found[0].length;
    return found;
  }

  /** What a constant of the same program says. */
  protected textNamed(name: string): string | undefined {
    if (!this.#named.has(name)) this.#named.set(name, textNamed(this.text, name));
    return this.#named.get(name);
  }
}
