/** A member of a document by names and indexes. */
export type Path = readonly (string | number)[];

export interface Difference {
  path: string;
  reported: unknown;
  recomputed: unknown;
}

/** How far a reported number may be from the recomputed one: both round differently. */
const rounding = 1e-9;

/**
 * A report that is counted again. It remembers which values were compared, so that every other one
 * can be named as not checked.
 */
export class Recount {
  readonly differences: Difference[] = [];
  readonly #document: unknown;
  readonly #checked = new Set<string>();
  readonly #rows = new Set<string>();
  readonly #reasons = new Map<string, string>();

  constructor(document: unknown) {
    this.#document = document;
  }

  /** Compares all that `recomputed` holds with what is reported at `path`. */
  compare(path: Path, recomputed: unknown, tolerance = rounding): void {
    this.#compare(path, this.#at(path), recomputed, tolerance);
  }

  /** For numbers from drawn samples: any value in the range agrees. */
  compareRange(path: Path, low: number, high: number): void {
    const reported = this.#at(path);
    this.#checked.add(textOf(path));
    if (typeof reported !== 'number' || reported < low - rounding || reported > high + rounding)
      this.#differ(path, reported, `${low} to ${high}`);
  }

  /**
   * Sentences that were composed again: each must be reported, in this order, alone or with more
   * behind it. What is more is named as not checked, with the reason.
   */
  compareSentences(path: Path, sentences: readonly string[], reason: string): void {
    const reported = this.#at(path);
    const list: unknown[] = Array.isArray(reported) ? reported : [];
    let at = 0;
    for (const sentence of sentences) {
      const isIt = (line: unknown): boolean =>
        line === sentence || (typeof line === 'string' && line.startsWith(`${sentence} `));
      const found = list.findIndex((line, index) => index >= at && isIt(line));
      if (found === -1) {
        this.#differ([...path, at], list[at], sentence);
        continue;
      }
      if (list[found] === sentence) this.#checked.add(textOf([...path, found]));
      at = found + 1;
    }
    if (list.length === 0) this.#checked.add(textOf(path));
    this.notChecked(patternOf(path), reason);
  }

  /** For a text of which several readings are possible. */
  compareOneOf(path: Path, texts: readonly string[]): void {
    const reported = this.#at(path);
    this.compare(path, texts.find((text) => text === reported) ?? texts[0] ?? null);
  }

  /** Rows are what everything is counted from: any other value of them changes a number. */
  rows(...patterns: string[]): void {
    for (const pattern of patterns) this.#rows.add(pattern);
  }

  notChecked(pattern: string, reason: string): void {
    this.#reasons.set(pattern, reason);
  }

  /** Values that do not follow from the rows, for one reason. A pattern has `*` for each index. */
  notCheckedAll(reason: string, patterns: readonly string[]): void {
    for (const pattern of patterns) this.notChecked(pattern, reason);
  }

  get checked(): number {
    return this.#checked.size;
  }

  /** True if a value at this path was compared. */
  isChecked(path: Path): boolean {
    return this.#checked.has(textOf(path));
  }

  /**
   * Every pattern with values that were not compared and are no rows, with the reason if known. A
   * report is covered by what was compared, what other numbers were counted from, and this list.
   */
  notCheckedTexts(): string[] {
    const listed = new Set<string>();
    const namesOf = new Map<string, string | null>();
    for (const path of leafPaths(this.#document)) {
      if (this.isChecked(path)) continue;
      const pattern = patternOf(path);
      let name = namesOf.get(pattern);
      if (name === undefined) namesOf.set(pattern, (name = this.#nameOf(pattern)));
      if (name !== null) listed.add(name);
    }
    return [...listed].sort().map((pattern) => {
      const reason = this.#reasons.get(pattern);
      return reason === undefined ? pattern : `${pattern}: ${reason}`;
    });
  }

  /** Under what a value that was not compared is listed; null if others were counted from it. */
  #nameOf(pattern: string): string | null {
    const known = [...this.#reasons.keys()].find((each) => covers(each, pattern));
    return known ?? (startsWithOneOf(pattern, this.#rows) ? null : pattern);
  }

  #compare(path: Path, reported: unknown, recomputed: unknown, tolerance: number): void {
    if (typeof recomputed === 'object' && recomputed !== null) {
      if (typeof reported !== 'object' || reported === null)
        return this.#differ(path, reported, recomputed);
      if (Array.isArray(recomputed)) {
        const length = Array.isArray(reported) ? reported.length : null;
        this.#checked.add(textOf(path));
        if (length !== recomputed.length)
          this.#differ([...path, 'length'], length, recomputed.length);
      }
      for (const [name, value] of Object.entries(recomputed)) {
        const key = Array.isArray(recomputed) ? Number(name) : name;
        this.#compare([...path, key], memberOf(reported, key), value, tolerance);
      }
      return undefined;
    }
    this.#checked.add(textOf(path));
    if (typeof reported === 'number' && typeof recomputed === 'number') {
      const allowed = tolerance * Math.max(1, Math.abs(recomputed));
      if (Math.abs(reported - recomputed) <= allowed) return undefined;
    } else if (reported === recomputed) return undefined;
    return this.#differ(path, reported, recomputed);
  }

  #differ(path: Path, reported: unknown, recomputed: unknown): void {
    this.differences.push({ path: textOf(path), reported: reported ?? null, recomputed });
  }

  #at(path: Path): unknown {
    return path.reduce<unknown>(memberOf, this.#document);
  }
}

function memberOf(value: unknown, key: string | number): unknown {
  return typeof value === 'object' && value !== null
    ? Object.getOwnPropertyDescriptor(value, key)?.value
    : undefined;
}

/** The paths of all values in a document; an empty list or object is one too. */
export function* leafPaths(value: unknown, path: Path = []): Generator<Path> {
  if (typeof value !== 'object' || value === null) {
    yield path;
    return;
  }
  const members: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  if (members.length === 0) yield path;
  for (const [key, item] of members) yield* leafPaths(item, [...path, key]);
}

/** `models[0].counts.tp` */
const textOf = (path: Path): string =>
  path
    .map((key, at) => (typeof key === 'number' ? `[${key}]` : at === 0 ? key : `.${key}`))
    .join('');

/** `models[*].counts.tp` */
export const patternOf = (path: Path): string => textOf(path).replaceAll(/\[\d+\]/g, '[*]');

function covers(known: string, pattern: string): boolean {
  return (
    pattern === known || (pattern.startsWith(known) && /^[.[]/.test(pattern.slice(known.length)))
  );
}

const startsWithOneOf = (pattern: string, known: ReadonlySet<string>): boolean =>
  [...known].some((one) => covers(one, pattern));
