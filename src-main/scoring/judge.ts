import type { JsonObject } from '../../src-shared/domain/json.ts';

/**
 * What a published schema says of arguments; `undecided` where it does not compile or would not
 * come to an end in time.
 */
export type Conformance =
  | { outcome: 'conforms' }
  /** `name` is the argument that breaks the schema, where it is one. */
  | { outcome: 'violates'; reason: string; name?: string }
  | { outcome: 'undecided'; reason: string };

/**
 * Whether a pattern is found in a text; `undecided` where it is no valid pattern or would not come
 * to an end in time.
 */
export type RegexOutcome = boolean | { outcome: 'undecided'; reason: string };

/**
 * The two questions that scoring can't answer by itself without risking never to end.
 * Implementations run in a worker.
 */
export interface Judge {
  /**
   * Validates against 2020-12 or draft-07 by `$schema`, `$ref` resolved, formats asserted; missing
   * required and unknown names at the top level are not counted.
   */
  validate(schema: JsonObject, args: JsonObject): Conformance;
  matchesRegex(pattern: string, text: string): RegexOutcome;
}
