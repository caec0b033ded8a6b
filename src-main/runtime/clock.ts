/** Time and ids are passed in, so that the same observations give the same bytes. */
export interface Clock {
  /** ISO 8601, UTC, milliseconds. */
  now(): string;
  /** Milliseconds of a clock that never goes back. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => new Date().toISOString(),
  monotonic: () => performance.now(),
};

export type NextId = () => string;
