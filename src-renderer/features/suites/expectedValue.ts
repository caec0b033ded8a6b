import { isJsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import type { FieldKind } from '../../ui/arguments/argumentFields.ts';

/** How an argument is compared. `schema` leaves it out; `json` is what the form can't show. */
export type MatcherKind =
  | 'schema'
  | 'equals'
  | 'any'
  | 'contains'
  | 'pattern'
  | 'between'
  | 'partial'
  | 'unordered'
  | 'optional'
  | 'default'
  | 'absent'
  | 'ignore'
  | 'json';

export const matcherLabels: Record<MatcherKind, string> = {
  schema: 'Any valid value',
  equals: 'Equals',
  any: 'Any of',
  contains: 'Contains',
  pattern: 'Matches pattern',
  between: 'Between',
  partial: 'Has at least',
  unordered: 'Same elements in any order',
  optional: 'May be absent, or equals',
  default: 'Absent, or the default',
  absent: 'Must be absent',
  ignore: 'Ignore',
  json: 'Custom (JSON)',
};

/** The matchers that make sense for a kind of value, in the order of the list. */
export function matchersFor(kind: FieldKind): MatcherKind[] {
  const isText = kind === 'text' || kind === 'choice';
  const isNumber = kind === 'number' || kind === 'integer';
  return [
    'schema',
    'equals',
    ...(isText || isNumber ? (['any'] as const) : []),
    ...(kind === 'text' || kind === 'texts' ? (['contains'] as const) : []),
    ...(isText ? (['pattern'] as const) : []),
    ...(isNumber ? (['between'] as const) : []),
    ...(kind === 'json' ? (['partial'] as const) : []),
    ...(kind === 'json' || kind === 'texts' ? (['unordered'] as const) : []),
    ...(kind === 'json' ? [] : (['optional'] as const)),
    'default',
    'absent',
    'ignore',
  ];
}

/** The matcher of an expected value, as the form shows it. */
export function matcherOf(value: JsonValue | undefined): MatcherKind {
  if (value === undefined) return 'schema';
  if (!isJsonObject(value)) return 'equals';
  const keys = Object.keys(value);
  if (keys.length === 0 || !keys.every((key) => key.startsWith('$'))) return 'equals';
  const [only = ''] = keys;
  if (keys.every((key) => key === '$gte' || key === '$lte'))
    return keys.every((key) => typeof value[key] === 'number') ? 'between' : 'json';
  if (keys.length > 1) return 'json';
  const operand = value[only];
  switch (only) {
    case '$any':
      return Array.isArray(operand) && operand.every(isPlain) ? 'any' : 'json';
    case '$contains':
      return isPlain(operand) ? 'contains' : 'json';
    case '$regex':
      return typeof operand === 'string' ? 'pattern' : 'json';
    case '$partial':
      return isJsonObject(operand) ? 'partial' : 'json';
    case '$unordered':
      return Array.isArray(operand) ? 'unordered' : 'json';
    case '$default':
      return operand === true ? 'default' : 'json';
    case '$optional':
      return isPlain(operand) || Array.isArray(operand) ? 'optional' : 'json';
    case '$absent':
      return operand === true ? 'absent' : 'json';
    case '$ignore':
      return operand === true ? 'ignore' : 'json';
    default:
      return 'json';
  }
}

const isPlain = (value: JsonValue | undefined): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** The values that a matcher holds: the alternatives, the bounds, or the one value. */
export function operandsOf(value: JsonValue | undefined): JsonValue[] {
  if (value === undefined) return [];
  const kind = matcherOf(value);
  if (!isJsonObject(value) || kind === 'equals' || kind === 'json') return [value];
  if (kind === 'absent' || kind === 'ignore' || kind === 'default') return [];
  return Object.values(value).flatMap((operand) =>
    kind === 'any' && Array.isArray(operand) ? operand : [operand],
  );
}

/**
 * An expected value with another matcher. Keeps what was entered where the new matcher can hold it;
 * `example` is used where nothing was.
 */
export function withMatcher(
  value: JsonValue | undefined,
  kind: MatcherKind,
  example: JsonValue,
): JsonValue | undefined {
  const [first = example, ...others] = matcherOf(value) === 'json' ? [] : operandsOf(value);
  switch (kind) {
    case 'schema':
      return undefined;
    case 'equals':
    case 'json':
      return first;
    case 'any':
      return { $any: [first, ...others].filter((operand) => operand !== '') };
    case 'contains':
      return { $contains: Array.isArray(first) ? (first[0] ?? '') : first };
    case 'pattern':
      return { $regex: typeof first === 'string' ? first : '' };
    case 'between': {
      const low = typeof first === 'number' ? first : 0;
      const [high] = others;
      return { $gte: low, $lte: typeof high === 'number' ? high : low };
    }
    case 'partial':
      return { $partial: isJsonObject(first) ? first : {} };
    case 'unordered':
      return { $unordered: Array.isArray(first) ? first : first === null ? [] : [first] };
    case 'optional':
      return { $optional: first };
    case 'default':
      return { $default: true };
    case 'absent':
      return { $absent: true };
    case 'ignore':
      return { $ignore: true };
  }
}

/** The bounds of `between`; null where one is open. */
export function boundsOf(value: JsonValue | undefined): {
  low: number | null;
  high: number | null;
} {
  const bound = (key: string): number | null => {
    const found = isJsonObject(value) ? value[key] : undefined;
    return typeof found === 'number' ? found : null;
  };
  return { low: bound('$gte'), high: bound('$lte') };
}

/** `between` with these bounds; an open bound is left out, and two open bounds accept any number. */
export function between(low: number | null, high: number | null): JsonValue | undefined {
  if (low === null && high === null) return undefined;
  return { ...(low === null ? {} : { $gte: low }), ...(high === null ? {} : { $lte: high }) };
}
