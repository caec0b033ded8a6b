import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import { plainName } from './fieldNames.ts';

const ofVariables = /^(?:template)?(?:variables|vars|params|placeholders|values|substitutions)$/;
const place = /\{\{\s*([\w.-]+)\s*\}\}|(?<![{$])\{([A-Za-z_]\w*)\}(?!\})/g;
/** Sets of variables that are records of their own. */
const maxSets = 1000;

/**
 * A record whose request has places such as `{{city}}`, once for each set of the variables next to
 * it; null for all others. A list of values for the only variable is a set each. A request with a
 * place that no set fills stays as it is.
 */
export function filledTemplates(record: JsonObject): JsonObject[] | null {
  const found = Object.entries(record).find(([name]) => ofVariables.test(plainName(name)));
  if (found === undefined) return null;
  const { [found[0]]: variables = null, ...rest } = record;
  const places = new Set(
    Object.values(rest).flatMap((value) =>
      typeof value === 'string'
        ? [...value.matchAll(place)].map((each) => each[1] ?? each[2] ?? '')
        : [],
    ),
  );
  const sets = setsOf(variables);
  if (places.size === 0 || sets === null || sets.length > maxSets) return null;
  if (!sets.every((set) => [...places].every((name) => isScalar(set[name])))) return null;
  return sets.map((set) => {
    const fill = (value: JsonValue): JsonValue =>
      typeof value === 'string'
        ? value.replaceAll(
            place,
            (whole, double?: string, single?: string) =>
              written(set[double ?? single ?? '']) ?? whole,
          )
        : Array.isArray(value)
          ? value.map(fill)
          : isJsonObject(value)
            ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fill(each)]))
            : value;
    return fill(rest) as JsonObject;
  });
}

const isScalar = (value: JsonValue | undefined): boolean => written(value) !== null;
const written = (value: JsonValue | undefined): string | null =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : null;

function setsOf(variables: JsonValue): JsonObject[] | null {
  if (Array.isArray(variables))
    return variables.length > 0 && variables.every(isJsonObject) ? variables : null;
  if (!isJsonObject(variables)) return null;
  const [[name, values] = ['', null], ...more] = Object.entries(variables);
  return more.length === 0 && Array.isArray(values)
    ? values.map((value) => ({ [name]: value }))
    : [variables];
}
