import { asSentence } from '../../../src-shared/domain/asSentence.ts';
import type { z } from 'zod';
import type { JsonValue } from '../../../src-shared/domain/json.ts';
import { valueAtPath, type JsonPath } from '../../../src-shared/domain/jsonPointer.ts';
import type { ValueProblem } from '../files/plainJson.ts';

export interface ShapeProblem extends ValueProblem {
  /** Whether the name or its value has the problem. */
  part: 'name' | 'value';
}

type Issue = z.core.$ZodIssue;

/** Explains violations of a schema, each at its place. `whole` says what the file should be. */
export const explainIssues = (
  issues: readonly Issue[],
  root: JsonValue,
  whole: string,
): ShapeProblem[] => issues.flatMap((issue) => explainIssue(issue, [], root, whole));

function explainIssue(
  issue: Issue,
  parent: JsonPath,
  root: JsonValue,
  whole: string,
): ShapeProblem[] {
  const path = [
    ...parent,
    ...issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step)),
  ];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: [...path, key],
      part: 'name',
      message: `The format has no field ${JSON.stringify(key)} here. Remove or rename it.`,
    }));
  }
  if (issue.code === 'invalid_union') {
    // Of the possible shapes, the one with the fewest violations is the one that was meant.
    const nearest =
      issue.errors.toSorted((one, other) => countViolations(one) - countViolations(other))[0] ?? [];
    const inner = nearest.flatMap((each) => explainIssue(each, path, root, whole));
    if (inner.length > 0) return inner;
  }
  return [{ path, part: 'value', message: describeIssue(issue, path, root, whole) }];
}

/** More than a shape that was meant has wrong. */
const otherKind = 1_000;

/** Every unknown name is a violation of its own; a value of another kind is not what was meant. */
const countViolations = (issues: readonly Issue[]): number =>
  issues.reduce(
    (sum, issue) =>
      sum +
      (issue.code === 'unrecognized_keys'
        ? issue.keys.length
        : issue.code === 'invalid_type' && issue.path.length === 0
          ? otherKind
          : 1),
    0,
  );

function describeIssue(issue: Issue, path: JsonPath, root: JsonValue, whole: string): string {
  const name = path.at(-1);
  if (path.length === 0) return whole;
  if (path.length === 1 && name === 'version' && valueAtPath(root, path) !== undefined) {
    return (
      `Version ${JSON.stringify(valueAtPath(root, path))} of the format isn’t supported. ` +
      'Use version 1.'
    );
  }
  if (typeof name === 'string' && valueAtPath(root, path) === undefined)
    return `${JSON.stringify(name)} is required.`;
  if (issue.code === 'too_small' && issue.origin === 'number')
    return `The value must be at least ${issue.minimum}.`;
  if (issue.code === 'too_small' && issue.origin === 'array' && Number(issue.minimum) > 1)
    return `The list needs at least ${issue.minimum} entries.`;
  if (issue.code === 'too_small') return 'Enter a value: it can’t be empty.';
  if (issue.code === 'invalid_type')
    return `The value must be ${withArticle(issue.expected === 'record' ? 'object' : issue.expected)}.`;
  if (issue.code === 'invalid_value')
    return `The value must be ${issue.values.map((each) => JSON.stringify(each)).join(' or ')}.`;
  return asSentence(issue.message);
}

/** A type with its article: `an object`, `a string`. */
function withArticle(type: string): string {
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}
