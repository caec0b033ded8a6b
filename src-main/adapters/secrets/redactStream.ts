import { replaceRanges, type LeakFinder } from './redact.ts';

/**
 * Redacts a text that comes in parts: a secret may begin in one part and end in another, so the last
 * characters of what came wait for what follows.
 */
export class TextStreamRedactor {
  readonly #finder: () => LeakFinder | null;
  #waiting = '';

  /** The finder is asked for each time, because more secrets may become known meanwhile. */
  constructor(finder: () => LeakFinder | null) {
    this.#finder = finder;
  }

  /** The next part of the clean text, which may be empty. */
  push(text: string): string {
    const finder = this.#finder();
    this.#waiting += text;
    if (finder === null) return this.end();
    // Searching for every small part would read the waiting characters again and again.
    if (this.#waiting.length < 2 * finder.longestWritten) return '';
    return this.#release(finder, this.#waiting.length - finder.longestWritten);
  }

  /** The rest of the clean text. */
  end(): string {
    const finder = this.#finder();
    return finder === null
      ? this.#take(this.#waiting.length)
      : this.#release(finder, this.#waiting.length);
  }

  #release(finder: LeakFinder, wanted: number): string {
    const ranges = finder.leaksIn(this.#waiting);
    const crossed = ranges.find(([from, to]) => from < wanted && to > wanted);
    const end = beforeEscape(this.#waiting, crossed?.[0] ?? wanted);
    const clean = ranges.filter(([, to]) => to <= end);
    return replaceRanges(this.#take(end), clean);
  }

  #take(end: number): string {
    const taken = this.#waiting.slice(0, end);
    this.#waiting = this.#waiting.slice(end);
    return taken;
  }
}

/** Backslashes are read in groups of so many where escapes are nested four levels deep. */
const group = 16;

/** The same place, or one a little before it, that parts no backslash from what it escapes. */
function beforeEscape(text: string, end: number): number {
  if (end === text.length) return end;
  let start = end;
  while (start > 0 && text[start - 1] === '\\') start -= 1;
  return end - ((end - start) % group);
}
