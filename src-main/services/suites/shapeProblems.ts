import type { z } from 'zod';
import type { JsonValue } from '../../../src-shared/domain/json.ts';
import { valueAtPath, type JsonPath } from '../../../src-shared/domain/jsonPointer.ts';
import type { ValueProblem } from './plainJson.ts';

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
      message: `${JSON.stringify(key)} isn't a field of this object.`,
    }));
  }
  if (issue.code === 'invalid_union') {
    // Of the possible shapes, the one with the fewest violations is the one that was meant.
    const nearest = issue.errors.toSorted((one, other) => one.length - other.length)[0] ?? [];
    const inner = nearest.flatMap((each) => explainIssue(each, path, root, whole));
    if (inner.length > 0) return inner;
  }
  return [{ path, part: 'value', message: describeIssue(issue, path, root, whole) }];
}

function describeIssue(issue: Issue, path: JsonPath, root: JsonValue, whole: string): string {
  const name = path.at(-1);
  if (path.length === 0) return whole;
  if (path.length === 1 && name === 'version' && valueAtPath(root, path) !== undefined) {
    return (
      `Version ${JSON.stringify(valueAtPath(root, path))} can't be read. Only version 1 is ` +
      'supported.'
    );
  }
  if (typeof name === 'string' && valueAtPath(root, path) === undefined)
    return `The field ${JSON.stringify(name)} is missing.`;
  if (issue.code === 'too_small') return 'It must not be empty.';
  if (issue.code === 'invalid_type')
    return `It must be ${issue.expected === 'record' ? 'an object' : `of type ${issue.expected}`}.`;
  if (issue.code === 'invalid_value')
    return `It must be ${issue.values.map((each) => JSON.stringify(each)).join(' or ')}.`;
  return issue.message.endsWith('.') ? issue.message : `${issue.message}.`;
}
