import type { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import {
  parsePointer,
  valueAtPath,
  type JsonPath,
} from '../../../src-shared/domain/jsonPointer.ts';
import { suiteFile, type SuiteFile } from '../../../src-shared/domain/suiteFile.ts';
import type { ToolReference } from '../../../src-shared/domain/testCase.ts';
import { validateMatchers } from '../../scoring/validateMatchers.ts';
import type { ValueProblem } from './plainJson.ts';

/** Returns the last listed input schema of a tool; null if it is unknown. */
export type SchemaOf = (tool: ToolReference) => JsonObject | null;

export interface ShapeProblem extends ValueProblem {
  /** Whether the name or its value has the problem. */
  part: 'name' | 'value';
}

type Issue = z.core.$ZodIssue;

/** Checks the shape of a suite file and explains every violation. */
export function checkShape(
  value: JsonValue,
): { file: SuiteFile; problems: [] } | { file: null; problems: ShapeProblem[] } {
  const parsed = suiteFile.safeParse(value);
  if (parsed.success) return { file: parsed.data, problems: [] };
  return {
    file: null,
    problems: parsed.error.issues.flatMap((issue) => explainIssue(issue, [], value)),
  };
}

function explainIssue(issue: Issue, parent: JsonPath, root: JsonValue): ShapeProblem[] {
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
    const inner = nearest.flatMap((each) => explainIssue(each, path, root));
    if (inner.length > 0) return inner;
  }
  return [{ path, part: 'value', message: describeIssue(issue, path, root) }];
}

function describeIssue(issue: Issue, path: JsonPath, root: JsonValue): string {
  const name = path.at(-1);
  if (path.length === 0) return 'A suite file is an object with version, name, servers and cases.';
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

/**
 * Checks what the schema cannot: duplicate ids, and matchers that can never match. Accepts a value
 * of any shape and checks the parts that are valid, so that all problems of a file are reported at
 * once.
 */
export function checkContent(value: JsonValue, schemaOf: SchemaOf): ShapeProblem[] {
  const problems: ShapeProblem[] = [];
  const first = new Map<string, number>();
  for (const [at, each] of listAt(value, 'cases').entries()) {
    if (!isJsonObject(each)) continue;
    const path = ['cases', at];
    const id = each['id'];
    const earlier = typeof id === 'string' ? first.get(id) : undefined;
    if (typeof id === 'string' && earlier === undefined) first.set(id, at);
    else if (earlier !== undefined)
      problems.push({
        path: [...path, 'id'],
        part: 'value',
        message: `The id ${JSON.stringify(id)} is not unique: case ${earlier + 1} has it already.`,
      });
    for (const [index, call] of listAt(each, 'expected_calls').entries()) {
      if (!isJsonObject(call) || !isJsonObject(call['parameters'])) continue;
      const tools = 'any_of' in call ? listAt(call, 'any_of') : [call];
      for (const problem of checkMatchers(call['parameters'], tools.map(toReference), (tool) =>
        tool === null ? null : schemaOf(tool),
      )) {
        problems.push({
          path: [...path, 'expected_calls', index, 'parameters', ...problem.path],
          part: 'name',
          message: problem.message,
        });
      }
    }
  }
  return problems;
}

function listAt(value: JsonValue, name: string): readonly JsonValue[] {
  const found = isJsonObject(value) ? value[name] : undefined;
  return Array.isArray(found) ? found : [];
}

/** Null if server or tool is missing: then its schema is unknown. */
function toReference(value: JsonValue): ToolReference | null {
  if (!isJsonObject(value)) return null;
  const { server, tool } = value;
  return typeof server === 'string' && typeof tool === 'string' ? { server, tool } : null;
}

/**
 * Checks the matchers of one call. If several tools are correct, only a problem with all of them
 * counts.
 */
export function checkMatchers<Tool>(
  parameters: JsonObject | undefined,
  tools: readonly Tool[],
  schemaOf: (tool: Tool) => JsonObject | null,
): ValueProblem[] {
  if (parameters === undefined) return [];
  const found = tools.map((tool) => validateMatchers(parameters, schemaOf(tool)));
  const [one = [], ...others] = found;
  return one
    .filter((problem) =>
      others.every((listAt) =>
        listAt.some((each) => each.path === problem.path && each.message === problem.message),
      ),
    )
    .map(({ path, message }) => ({ path: parsePointer(path), message }));
}
