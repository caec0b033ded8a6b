import { isJsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';

/** The matchers that can replace a value at any depth, with an example of each. */
export const matcherHelp: readonly { key: string; example: string; meaning: string }[] = [
  { key: '$any', example: '{"$any": ["high", "urgent"]}', meaning: 'one of these values' },
  {
    key: '$contains',
    example: '{"$contains": "milk"}',
    meaning: 'text or list that contains this',
  },
  { key: '$regex', example: '{"$regex": "^2026-"}', meaning: 'text that matches this pattern' },
  { key: '$gte', example: '{"$gte": 1, "$lte": 10}', meaning: 'a number at least this large' },
  { key: '$lte', example: '{"$lte": 10}', meaning: 'a number at most this large' },
  { key: '$optional', example: '{"$optional": 20}', meaning: 'absent, or equal to this' },
  {
    key: '$default',
    example: '{"$default": true}',
    meaning: 'absent, or equal to the default in the schema of the tool',
  },
  { key: '$absent', example: '{"$absent": true}', meaning: 'must be absent' },
  { key: '$ignore', example: '{"$ignore": true}', meaning: 'ignored' },
  {
    key: '$exact',
    example: '{"$exact": "Buy Milk"}',
    meaning: 'exactly equal, including case and spaces',
  },
  {
    key: '$eq',
    example: '{"$eq": {"$ref": "x"}}',
    meaning: 'a literal object with keys that begin with $',
  },
  {
    key: '$partial',
    example: '{"$partial": {"city": "Paris"}}',
    meaning: 'an object with at least these members, also inside',
  },
  {
    key: '$unordered',
    example: '{"$unordered": ["a", "b"]}',
    meaning: 'a list of exactly these elements in any order',
  },
];
const known = new Set(matcherHelp.map((matcher) => matcher.key));

/**
 * The path of the first object that mixes or misspells `$` keys, with the problem; null if all
 * matchers are valid.
 */
export function matcherProblem(value: JsonValue, path = ''): string | null {
  if (Array.isArray(value))
    return firstProblem(value.map((item, index) => [`${path}[${index}]`, item]));
  if (!isJsonObject(value)) return null;
  const keys = Object.keys(value);
  const dollars = keys.filter((key) => key.startsWith('$'));
  if (dollars.length > 0 && dollars.length === keys.length) {
    const unknown = dollars.find((key) => !known.has(key));
    if (unknown !== undefined)
      return (
        `${at(path)}“${unknown}” isn’t a matcher. To expect it literally, put the object into ` +
        '{"$eq": …}.'
      );
    if (Object.hasOwn(value, '$eq')) return null;
  }
  return firstProblem(
    keys.map((key) => [path === '' ? key : `${path}.${key}`, value[key] ?? null]),
  );
}

function firstProblem(entries: [string, JsonValue][]): string | null {
  for (const [path, value] of entries) {
    const problem = matcherProblem(value, path);
    if (problem !== null) return problem;
  }
  return null;
}

function at(path: string): string {
  return path === '' ? '' : `At ${path}: `;
}
