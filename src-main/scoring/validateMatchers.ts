import { errorText } from '../../src-shared/domain/errorText.ts';
import { compareNumbers, isNumber, numberText } from '../../src-shared/domain/exactNumber.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src-shared/domain/json.ts';
import { appendToPointer } from '../../src-shared/domain/jsonPointer.ts';
import { compilePattern } from './compilePattern.ts';
import { exceedsDepth, MAX_DEPTH } from './depth.ts';
import { isMatcher, isMatcherKey, matcherKeys, type MatcherKey } from './matchers.ts';
import { resolveReference } from './schema/schemaReferences.ts';
import { schemaProperties } from './schemaProperties.ts';

export interface MatcherProblem {
  /** JSON pointer from the parameters: "" is the object itself. */
  path: string;
  message: string;
}

/**
 * The context of a value: the schema of the object or parameter, whether the schema requires it,
 * and whether it could be left out.
 */
interface Place {
  path: string;
  schema: JsonObject | null;
  required: boolean;
  inArray: boolean;
}

type Report = (path: string, message: string) => void;

function regexProblem(pattern: JsonValue): string | null {
  if (typeof pattern !== 'string') return '$regex needs a pattern as a string.';
  try {
    compilePattern(pattern);
    return null;
  } catch (error) {
    return `$regex isn't a valid ECMAScript pattern: ${errorText(error)}.`;
  }
}

function operandProblem(key: MatcherKey, operand: JsonValue): string | null {
  switch (key) {
    case '$any':
      return Array.isArray(operand) && operand.length > 0
        ? null
        : '$any needs a list with at least one value.';
    case '$regex':
      return regexProblem(operand);
    case '$gte':
    case '$lte':
      return isNumber(operand) ? null : `${key} needs a number.`;
    case '$absent':
    case '$ignore':
      return operand === true ? null : `${key} takes only true.`;
    case '$contains':
    case '$optional':
    case '$exact':
    case '$eq':
      return null;
  }
}

function checkMatcher(
  matcher: JsonObject,
  place: Place,
  root: JsonObject | null,
  report: Report,
): void {
  for (const [key, operand] of Object.entries(matcher)) {
    const path = appendToPointer(place.path, key);
    if (!isMatcherKey(key)) {
      report(
        path,
        `${key} isn't a matcher. Known matchers are ${matcherKeys.join(', ')}; {"$eq": …} stands for a ` +
          'literal object.',
      );
      continue;
    }
    const problem = operandProblem(key, operand);
    if (problem !== null) report(path, problem);
    else if (key === '$absent' && place.inArray) report(path, "$absent can't be used in a list.");
    else if (key === '$absent' && place.required)
      report(path, '$absent on a name that the schema requires can never hold.');
    // A choice may contain `$absent` next to other values; `$contains` applies to an element.
    else if (key === '$any' && Array.isArray(operand)) {
      for (const [index, option] of operand.entries())
        check(
          option,
          { ...place, path: appendToPointer(path, index), required: false },
          root,
          report,
        );
    } else if (key === '$optional')
      check(operand, { ...place, path, required: false }, root, report);
    else if (key === '$contains')
      check(operand, { path, schema: null, required: false, inArray: true }, root, report);
  }
  const { $gte: low, $lte: high } = matcher;
  if (isNumber(low) && isNumber(high) && compareNumbers(low, high) > 0) {
    report(place.path, `No number is at least ${numberText(low)} and at most ${numberText(high)}.`);
  }
}

/** The schema of a property, with a single `$ref` resolved; null if it can't be determined. */
function subschema(schema: JsonValue | undefined, root: JsonObject | null): JsonObject | null {
  if (!isJsonObject(schema)) return null;
  const reference = schema['$ref'];
  if (typeof reference !== 'string' || root === null) return schema;
  const target = resolveReference(root, reference);
  return isJsonObject(target) ? target : null;
}

function checkMembers(
  object: JsonObject,
  place: Place,
  root: JsonObject | null,
  report: Report,
): void {
  const names = place.schema === null ? null : schemaProperties(place.schema);
  for (const [name, value] of Object.entries(object)) {
    const schema = subschema(names?.properties.get(name), root);
    check(
      value,
      {
        path: appendToPointer(place.path, name),
        schema,
        required: names?.required.has(name) ?? false,
        inArray: false,
      },
      root,
      report,
    );
  }
}

function check(value: JsonValue, place: Place, root: JsonObject | null, report: Report): void {
  if (isMatcher(value)) checkMatcher(value, place, root, report);
  else if (Array.isArray(value)) {
    const items = subschema(place.schema?.['items'], root);
    for (const [index, item] of value.entries()) {
      check(
        item,
        { path: appendToPointer(place.path, index), schema: items, required: false, inArray: true },
        root,
        report,
      );
    }
  } else if (isJsonObject(value)) checkMembers(value, place, root, report);
}

/**
 * Checks the matchers in the expected parameters of a call (docs/rules.md §2): unknown `$` keys,
 * operands of the wrong type, patterns that don't compile, bounds that exclude each other, and
 * `$absent` for a name that the schema requires. `schema` is the tool's input schema, or null if it
 * isn't known yet. The parameters object itself is never a matcher. Returns an empty list if there
 * are no problems.
 */
export function validateMatchers(
  parameters: JsonObject,
  schema: JsonObject | null,
): MatcherProblem[] {
  if (exceedsDepth(parameters))
    return [{ path: '', message: `The parameters are nested deeper than ${MAX_DEPTH} levels.` }];
  const problems: MatcherProblem[] = [];
  const usable = schema !== null && !exceedsDepth(schema) ? schema : null;
  const report: Report = (path, message) => void problems.push({ path, message });
  checkMembers(
    parameters,
    { path: '', schema: usable, required: false, inArray: false },
    usable,
    report,
  );
  return problems;
}
