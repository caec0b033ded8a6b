import { isJsonObject, type JsonValue } from '../../../../src-shared/domain/json.ts';
import type { OfferedTool } from '../../../scoring/scoreInput.ts';
import type { ScoringItem } from './scoringItem.ts';

/** Texts of a list of tools, and of a run, in characters of JSON. */
const maxToolsLength = 50_000;
const maxInputLength = 10_000;
const maxSchemaDepth = 8;

const plainKeywords = new Set([
  ...['type', 'enum', 'const', 'required', 'minimum', 'maximum', 'minLength', 'maxLength'],
  ...['minItems', 'maxItems', 'title', 'description', 'default', 'examples', '$schema'],
]);

/** No pattern, no format, no reference: what is left takes as long as its text is. */
function isPlainSchema(schema: JsonValue, depth = 0): boolean {
  if (typeof schema === 'boolean') return true;
  if (!isJsonObject(schema) || depth > maxSchemaDepth) return false;
  const all = (schemas: JsonValue[]): boolean =>
    schemas.every((each) => isPlainSchema(each, depth + 1));
  return Object.entries(schema).every(([keyword, value]) => {
    if (keyword === 'properties') return isJsonObject(value) && all(Object.values(value));
    if (keyword === 'anyOf') return Array.isArray(value) && all(value);
    if (keyword === 'items' || keyword === 'additionalProperties') return all([value]);
    // In draft 3 a type can be a schema.
    if (keyword === 'type') return !JSON.stringify(value).includes('{');
    return plainKeywords.has(keyword);
  });
}

const quickLists = new WeakMap<readonly OfferedTool[], boolean>();

/**
 * Whether a run is surely scored in milliseconds, so that it needs no thread that could be ended: its
 * texts are short, its expectation has no matcher, and its tools have plain schemas.
 */
export function isQuick(
  { expectation, acceptable, ...rest }: ScoringItem['input'],
  tools: readonly OfferedTool[],
): boolean {
  let isQuickList = quickLists.get(tools);
  if (isQuickList === undefined) {
    isQuickList =
      JSON.stringify(tools).length <= maxToolsLength &&
      tools.every(({ inputSchema }) => isPlainSchema(inputSchema));
    quickLists.set(tools, isQuickList);
  }
  if (!isQuickList || acceptable !== undefined) return false;
  const expected = JSON.stringify(expectation);
  return (
    expected.length + JSON.stringify(rest).length <= maxInputLength && !expected.includes('"$')
  );
}
