/** A part of the query in UTF-16 offsets; `end` is exclusive. */
export interface Span {
  start: number;
  end: number;
}

/** A part of the query that could be a value. */
export interface Mention<T> extends Span {
  value: T;
}

export function overlapsAny(span: Span, others: readonly Span[]): boolean {
  return others.some((other) => span.start < other.end && other.start < span.end);
}
