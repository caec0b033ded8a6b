import { isJsonObject, type JsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import { parsePointer } from '../../../src-shared/domain/jsonPointer.ts';
import { suiteFile, type SuiteFile } from '../../../src-shared/domain/suiteFile.ts';
import type { ToolReference } from '../../../src-shared/domain/testCase.ts';
import { validateMatchers } from '../../scoring/validateMatchers.ts';
import { listAt } from './listAt.ts';
import type { ValueProblem } from '../files/plainJson.ts';
import { explainIssues, type ShapeProblem } from './shapeProblems.ts';
import { checkTaskContent } from './taskProblems.ts';

/** Returns the last listed input schema of a tool; null if it is unknown. */
export type SchemaOf = (tool: ToolReference) => JsonObject | null;

/** Checks the shape of a suite file and explains every violation. */
export function checkShape(
  value: JsonValue,
): { file: SuiteFile; problems: [] } | { file: null; problems: ShapeProblem[] } {
  const parsed = suiteFile.safeParse(value);
  if (parsed.success) return { file: parsed.data, problems: [] };
  return {
    file: null,
    problems: explainIssues(
      parsed.error.issues,
      value,
      'This isn’t a suite file: it needs version, name, servers, and cases.',
    ),
  };
}

/**
 * Checks what the schema cannot: duplicate ids, matchers that can never match, and arguments that no
 * call is compared with. Accepts a value of any shape and checks the parts that are valid, so that all
 * problems of a file are reported at once.
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
        message: `Case ${earlier + 1} already has the ID ${JSON.stringify(id)}. Change one.`,
      });
    for (const problem of 'turns' in each ? checkTaskContent(each) : [])
      problems.push({ ...problem, path: [...path, ...problem.path] });
    for (const [index, call] of listAt(each, 'expected_calls').entries()) {
      const place = [...path, 'expected_calls', index];
      const listed = listAt(call, 'any_of').filter(isJsonObject);
      const shared = listed.length > 0 ? listed.filter(hasNoArguments) : [call];
      for (const { given, tools, at: own } of [
        { given: call, tools: shared, at: place },
        ...listed.map((each, nth) => ({
          ...{ given: each, tools: [each], at: [...place, 'any_of', nth] },
        })),
      ]) {
        if (!isJsonObject(given) || !isJsonObject(given['parameters'])) continue;
        for (const problem of checkMatchers(given['parameters'], tools.map(toReference), (tool) =>
          tool === null ? null : schemaOf(tool),
        ))
          problems.push({
            path: [...own, 'parameters', ...problem.path],
            part: 'name',
            message: problem.message,
          });
      }
    }
  }
  return problems;
}

const hasNoArguments = (call: JsonObject): boolean => !('parameters' in call);

/** Null if server or tool is missing: then its schema is unknown. */
function toReference(value: JsonValue): ToolReference | null {
  if (!isJsonObject(value)) return null;
  const { server, tool } = value;
  return typeof server === 'string' && typeof tool === 'string' ? { server, tool } : null;
}

/**
 * Checks the arguments of one call. If several tools are correct, only a problem with all of them
 * counts. Without any, nothing is compared with the arguments.
 */
export function checkMatchers<Tool>(
  parameters: JsonObject | undefined,
  tools: readonly Tool[],
  schemaOf: (tool: Tool) => JsonObject | null,
): ValueProblem[] {
  if (parameters === undefined) return [];
  if (tools.length === 0)
    return [
      {
        path: [],
        message:
          'Each alternative has arguments of its own, so no call is compared with these. Delete ' +
          'these, or those of the alternative that they are for.',
      },
    ];
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
