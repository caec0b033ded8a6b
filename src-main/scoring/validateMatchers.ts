import { errorText } from '../../src-shared/domain/errorText.ts';
import { compareNumbers, isNumber, numberText } from '../../src-shared/domain/exactNumber.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src-shared/domain/json.ts';
import { appendToPointer } from '../../src-shared/domain/jsonPointer.ts';
import { compilePattern } from './compilePattern.ts';
import { exceedsDepth, MAX_DEPTH } from './depth.ts';
import { isMatcher, isMatcherKey, matcherKeys, type MatcherKey } from './matchers.ts';
import { elementSchema, memberSchema, type SchemaPlace } from './schemaPlace.ts';
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
  schema: SchemaPlace | null;
  required: boolean;
  inArray: boolean;
  /** False for a value that no schema of a tool describes. */
  isArgument: boolean;
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
    case '$partial':
      return isJsonObject(operand) ? null : '$partial needs an object.';
    case '$unordered':
      return Array.isArray(operand) ? null : '$unordered needs a list.';
    case '$absent':
    case '$ignore':
    case '$default':
      return operand === true ? null : `${key} takes only true.`;
    case '$contains':
    case '$optional':
    case '$exact':
    case '$eq':
      return null;
  }
}

function checkMatcher(matcher: JsonObject, place: Place, report: Report): void {
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
    const problem = operandProblem(key, operand) ?? placeProblem(key, place);
    if (problem !== null) report(path, problem);
    // A choice may contain `$absent` next to other values; `$contains` applies to an element.
    else if (key === '$any' && Array.isArray(operand)) {
      for (const [index, option] of operand.entries())
        check(option, { ...place, path: appendToPointer(path, index), required: false }, report);
    } else if (key === '$optional') check(operand, { ...place, path, required: false }, report);
    else if (key === '$partial') check(operand, { ...place, path }, report);
    else if (key === '$unordered' && Array.isArray(operand))
      checkElements(operand, { ...place, path }, () => null, report);
    else if (key === '$contains')
      check(operand, { ...place, path, schema: null, required: false, inArray: true }, report);
  }
  const { $gte: low, $lte: high } = matcher;
  if (isNumber(low) && isNumber(high) && compareNumbers(low, high) > 0) {
    report(place.path, `No number is at least ${numberText(low)} and at most ${numberText(high)}.`);
  }
}

/** What is wrong with a matcher of absence where it is written. */
function placeProblem(key: MatcherKey, { inArray, required, isArgument }: Place): string | null {
  if (key !== '$absent' && key !== '$default') return null;
  if (inArray) return `${key} can't be used in a list.`;
  if (key === '$default' && !isArgument)
    return '$default needs an argument of a tool: nothing else has a default.';
  return key === '$absent' && required
    ? '$absent on a name that the schema requires can never hold.'
    : null;
}

function checkMembers(object: JsonObject, place: Place, report: Report): void {
  const { schema } = place;
  const required = schema === null ? null : schemaProperties(schema.schema, schema.root).required;
  for (const [name, value] of Object.entries(object)) {
    check(
      value,
      {
        ...place,
        path: appendToPointer(place.path, name),
        schema: schema && memberSchema(schema, name),
        required: required?.has(name) ?? false,
        inArray: false,
      },
      report,
    );
  }
}

function checkElements(
  values: readonly JsonValue[],
  place: Place,
  position: (index: number) => number | null,
  report: Report,
): void {
  for (const [index, value] of values.entries()) {
    const element = place.schema && elementSchema(place.schema, position(index));
    const path = appendToPointer(place.path, index);
    check(value, { ...place, path, schema: element, required: false, inArray: true }, report);
  }
}

function check(value: JsonValue, place: Place, report: Report): void {
  if (isMatcher(value)) checkMatcher(value, place, report);
  else if (Array.isArray(value)) checkElements(value, place, (index) => index, report);
  else if (isJsonObject(value)) checkMembers(value, place, report);
}

/**
 * Checks the matchers in the expected parameters of a call (docs/rules.md §2): unknown `$` keys,
 * operands of the wrong type, patterns that don't compile, bounds that exclude each other, and
 * `$absent` for a name that the schema requires. `schema` is the tool's input schema, or null if it
 * isn't known yet, `none` where a value has none, so that `$default` has no meaning. The parameters
 * object itself is never a matcher. Returns an empty list if there are no problems.
 */
export function validateMatchers(
  parameters: JsonObject,
  schema: JsonObject | null | 'none',
): MatcherProblem[] {
  if (exceedsDepth(parameters))
    return [{ path: '', message: `The parameters are nested deeper than ${MAX_DEPTH} levels.` }];
  const problems: MatcherProblem[] = [];
  const hasSchema = schema !== null && schema !== 'none';
  const usable = hasSchema && !exceedsDepth(schema) ? { schema, root: schema } : null;
  const report: Report = (path, message) => void problems.push({ path, message });
  checkMembers(
    parameters,
    { path: '', schema: usable, required: false, inArray: false, isArgument: schema !== 'none' },
    report,
  );
  return problems;
}
