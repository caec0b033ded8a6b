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
 * A report that is counted again. It remembers which numbers were compared, so that every other one
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

  /** Rows are what everything is counted from. A pattern has `*` for each index. */
  rows(pattern: string): void {
    this.#rows.add(pattern);
  }

  notChecked(pattern: string, reason: string): void {
    this.#reasons.set(pattern, reason);
  }

  get checked(): number {
    return this.#checked.size;
  }

  /** True if a number at this path was compared. */
  isChecked(path: Path): boolean {
    return this.#checked.has(textOf(path));
  }

  /** Every pattern with numbers that are neither rows nor compared, with the reason if known. */
  notCheckedTexts(): string[] {
    const patterns = new Set<string>();
    for (const path of numberPaths(this.#document)) {
      const pattern = patternOf(path);
      if (this.isChecked(path) || startsWithOneOf(pattern, this.#rows)) continue;
      patterns.add([...this.#reasons.keys()].find((known) => covers(known, pattern)) ?? pattern);
    }
    return [...patterns].sort().map((pattern) => {
      const reason = this.#reasons.get(pattern);
      return reason === undefined ? pattern : `${pattern}: ${reason}`;
    });
  }

  #compare(path: Path, reported: unknown, recomputed: unknown, tolerance: number): void {
    if (typeof recomputed === 'object' && recomputed !== null) {
      if (typeof reported !== 'object' || reported === null)
        return this.#differ(path, reported, recomputed);
      if (Array.isArray(recomputed)) {
        const length = Array.isArray(reported) ? reported.length : null;
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

/** The paths of all numbers in a document. */
export function* numberPaths(value: unknown, path: Path = []): Generator<Path> {
  if (typeof value === 'number') yield path;
  else if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* numberPaths(item, [...path, index]);
  else if (typeof value === 'object' && value !== null)
    for (const [name, item] of Object.entries(value)) yield* numberPaths(item, [...path, name]);
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
