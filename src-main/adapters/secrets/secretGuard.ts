import { foldText } from './escapes.ts';
import { createLeakFinder, replaceRanges, type LeakFinder } from './redact.ts';
import { redactValue } from './redactValue.ts';
import type { IsPublic } from './secretRuns.ts';

/**
 * Knows every secret that was read or set since the start and takes them out of whatever is stored,
 * shown or written: every sink asks it.
 */
export interface SecretGuard {
  /** From now on, this value is taken out. */
  guard: (value: string) => void;
  /**
   * Adds words of the program's own formats. A secret may hold one of them, such as the name of a
   * provider, or be one; replacing it everywhere would make files unreadable and hide nothing. They
   * are asked for when they are first needed.
   */
  exempt: (words: () => Iterable<string>) => void;
  redact: (text: string) => string;
  /** Redacts the strings and keys of a parsed value. The same value if it holds no secret. */
  redactValue: <T>(value: T) => T;
  /** Redacts a text that comes in parts, also where a secret is split over two of them. */
  redactTexts: (texts: Iterable<string> | AsyncIterable<string>) => AsyncIterable<string>;
}

export function createSecretGuard(): SecretGuard {
  const sources: (() => Iterable<string>)[] = [() => commonWords];
  const secrets = new Set<string>();
  let finder: LeakFinder | null = null;
  let words: Set<string> | null = null;

  const isPublic: IsPublic = (run) => {
    words ??= new Set(sources.flatMap((source) => [...source()]).map(folded));
    return words.has(run) || isDate.test(run);
  };
  const find = (): LeakFinder | null =>
    secrets.size === 0 ? null : (finder ??= createLeakFinder([...secrets], isPublic));
  const redact = (text: string): string => {
    const known = find();
    if (known === null) return text;
    const clean = replaceRanges(text, known.leaksIn(text));
    return clean === text ? text : (asJson(text, clean, redact) ?? clean);
  };
  return {
    guard(value) {
      if (value === '' || secrets.has(value)) return;
      secrets.add(value);
      finder = null;
    },
    exempt(source) {
      sources.push(source);
      words = null;
    },
    redact,
    redactValue: (value) => (find() === null ? value : redactValue(value, redact)),
    async *redactTexts(texts) {
      const stream = new TextStreamRedactor(find);
      for await (const text of texts) {
        const clean = stream.push(text);
        if (clean !== '') yield clean;
      }
      const rest = stream.end();
      if (rest !== '') yield rest;
    },
  };
}

/**
 * JSON stays JSON: where a replacement broke it, such as one in a number, the parsed value is
 * redacted. Null if the text was none.
 */
function asJson(text: string, clean: string, redact: (text: string) => string): string | null {
  if (!/^\s*[[{]/.test(text) || isJson(clean) || !isJson(text)) return null;
  return JSON.stringify(redactValue<unknown>(JSON.parse(text), redact));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function folded(word: string): string {
  return String.fromCharCode(...foldText(word).codes);
}

/** Dates stand in every row and every log line. Folded, a hyphen is a plus sign. */
const isDate = /^\d{4}\+\d\d\+\d\d(?:t\d\d(?::\d\d){0,2}(?:\.\d{1,3})?z?)?$/;

/** Words of the formats of others: JSON Schema, chat APIs, addresses. */
const commonWords = (
  'additionalProperties application/json arguments assistant completion completions ' +
  'completion_tokens description finish_reason function_call inputSchema input_schema ' +
  'input_tokens localhost 127.0.0.1 output_tokens parameters prompt_tokens properties ' +
  'stop_reason tool_calls tool_choice total_tokens'
).split(' ');

/**
 * Redacts a text that comes in parts: a secret may begin in one part and end in another, so the last
 * characters of what came wait for what follows.
 */
class TextStreamRedactor {
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
