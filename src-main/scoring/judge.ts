import type { JsonObject } from '../../src-shared/domain/json.ts';

/**
 * What a published schema says about arguments; `undecided` if it doesn't finish in time, or they
 * are nested too deeply.
 */
export type Conformance =
  | { outcome: 'conforms' }
  /**
   * `name` is the argument that violates the schema, if it is a single one. `demanded` are absent
   * names that the schema requires of these arguments, though not of all.
   */
  | { outcome: 'violates'; reason: string; name?: string; demanded?: string[] }
  | { outcome: 'undecided'; reason: string };

/**
 * Whether a pattern matches a text; `undecided` if the pattern is invalid or doesn't finish in
 * time.
 */
type RegexOutcome = boolean | { outcome: 'undecided'; reason: string };

/**
 * The two questions that scoring can't answer itself without the risk of never finishing.
 * Implementations run in a worker.
 */
export interface Judge {
  /**
   * Validates against a schema of any draft, with `$ref` resolved and formats asserted. Keywords that
   * can't be read decide nothing. Missing required and unknown names at the top level don't count.
   */
  validate(schema: JsonObject, args: JsonObject): Conformance;
  /** Why a schema can't decide any arguments; null if it can decide some. */
  cannotDecide(schema: JsonObject): string | null;
  matchesRegex(pattern: string, text: string): RegexOutcome;
}
