import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import { valueAtPointer } from '../../../../src-shared/domain/jsonPointer.ts';
import { contentTerms, hasContent, stem, words } from '../../../analysis/tokenizer.ts';
import { unitOf, unitsIn } from './units.ts';

const quotedValue =
  /(?<![\p{L}\p{N}])["'‘“`]([\p{L}\p{N}][\p{L}\p{N} _./+-]{0,40})["'’”`](?![\p{L}\p{N}])/gu;
const introduced =
  /(?:\(|\b(?:one of|either|options(?: are)?|values(?: are)?|choices(?: are)?|such as|can be|must be|e\.g\.,?|for example,?|like)(?:\s*:)?\s+)(?:e\.g\.,?\s*|such as\s+|for example,?\s*|options:\s*|either\s+)?([\p{L}\p{N}_-]+(?: [\p{L}\p{N}_-]+){0,2}(?:(?:\s*[,|]\s*(?:or\s+|and\s+)?|\s+or\s+)[\p{L}\p{N}_-]+(?: [\p{L}\p{N}_-]+){0,2})+)/giu;

/**
 * The values that a description names: quoted ones, and lists in parentheses or after words like
 * "either" and "such as". At most 30, in the order of the text.
 */
function describedOptions(description: string): string[] {
  const quoted = Array.from(description.matchAll(quotedValue), (match) => match[1] ?? '');
  const listed = Array.from(description.matchAll(introduced), (match) =>
    (match[1] ?? '').split(/\s*[,|]\s*(?:or\s+|and\s+)?|\s+or\s+/iu),
  ).flat();
  return [...new Set(quoted.length > 0 ? quoted : listed)]
    .filter((value) => value !== '')
    .slice(0, 30);
}

type SlotType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';

/** One parameter to fill, with its schema in a form that rules can read. */
export interface Slot {
  name: string;
  /** The words of the name: `user_id` → user, id. */
  words: readonly string[];
  /**
   * Stems of the distinctive words of its name: `user_id` → user; `max_results` → result. Stems of
   * all words where none is distinctive.
   */
  cues: readonly string[];
  type: SlotType;
  required: boolean;
  /** Stems of the words of its description that its name doesn't have. */
  hints: ReadonlySet<string>;
  /** The units that its name or its description names, by their signs. */
  units: ReadonlySet<string>;
  /** Texts that its description names as values: `'asc' or 'desc'`, `(car, train, bike)`. */
  options: readonly string[];
  /** Resolved: references followed, `allOf` folded in, the first fitting alternative taken. */
  schema: JsonObject;
  /** Of an object: its properties. */
  slots: readonly Slot[];
  /** Of an array: its elements. */
  items: Slot | null;
}

const maxDepth = 4;
const maxReferences = 8;
const maxSlots = 200;
/** Words of a name that say what kind of value it takes, not which one. */
const kindWords = new Set(
  (
    'id ids uuid key number num no nr count value val max min maximum minimum is has include ' +
    'included enable enabled use with should flag list array of the a to for by on in'
  ).split(' '),
);

/** The parameters of an input schema, in the order in which it lists them. */
export function slotsOf(schema: JsonObject): Slot[] {
  return propertySlots(resolve(schema, schema), schema, 0);
}

function propertySlots(schema: JsonObject, root: JsonObject, depth: number): Slot[] {
  const properties = schema['properties'];
  if (!isJsonObject(properties) || depth >= maxDepth) return [];
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(properties)
    .slice(0, maxSlots)
    .flatMap(([name, property]) =>
      isJsonObject(property) ? [slotOf(name, property, root, required.includes(name), depth)] : [],
    );
}

function slotOf(
  name: string,
  property: JsonObject,
  root: JsonObject,
  required: boolean,
  depth: number,
): Slot {
  const schema = resolve(property, root);
  const type = typeOf(schema);
  const nameWords = words(name);
  const described =
    typeof schema['description'] === 'string' ? schema['description'].slice(0, 1_000) : '';
  const distinctive = nameWords.filter((word) => !kindWords.has(word));
  const items =
    type === 'array' && isJsonObject(schema['items']) && depth < maxDepth
      ? slotOf(singular(name), schema['items'], root, true, depth + 1)
      : null;
  return {
    name,
    words: nameWords,
    cues: (distinctive.length > 0 ? distinctive : nameWords).map(stem),
    // "The other one" has only function words, and says nothing.
    hints: new Set(hasContent(described) ? contentTerms(described).map(({ stem }) => stem) : []),
    units: new Set([
      ...nameWords.flatMap((word) => (word.length > 2 ? (unitOf(word) ?? []) : [])),
      ...unitsIn(described),
    ]),
    options: type === 'string' ? describedOptions(described) : [],
    type,
    required,
    schema,
    slots: type === 'object' ? propertySlots(schema, root, depth + 1) : [],
    items,
  };
}

function singular(name: string): string {
  return name.length > 3 ? name.replace(/s$/u, '') : name;
}

/**
 * Follows local references, folds `allOf` in, and takes the first alternative that is not null.
 * Never fetches anything.
 */
function resolve(schema: JsonObject, root: JsonObject): JsonObject {
  let current = schema;
  for (let step = 0; step < maxReferences; step += 1) {
    const reference = current['$ref'];
    const all = current['allOf'];
    const any = current['anyOf'] ?? current['oneOf'];
    if (typeof reference === 'string') {
      const { $ref: _followed, ...rest } = current;
      current = { ...(pointed(root, reference) ?? {}), ...rest };
    } else if (Array.isArray(all)) {
      const { allOf: _folded, ...rest } = current;
      current = all
        .filter(isJsonObject)
        .reduce<JsonObject>((merged, part) => mergeSchemas(merged, part), rest);
    } else if (Array.isArray(any) && typeOfKeyword(current) === null) {
      const { anyOf: _any, oneOf: _one, ...rest } = current;
      const first = any.filter(isJsonObject).find((part) => part['type'] !== 'null');
      current = first ? mergeSchemas(rest, first) : rest;
    } else return current;
  }
  return current;
}

function mergeSchemas(first: JsonObject, second: JsonObject): JsonObject {
  const merged = { ...first, ...second };
  if (isJsonObject(first['properties']) && isJsonObject(second['properties']))
    merged['properties'] = { ...first['properties'], ...second['properties'] };
  if (Array.isArray(first['required']) && Array.isArray(second['required']))
    merged['required'] = [...first['required'], ...second['required']];
  return merged;
}

function pointed(root: JsonObject, reference: string): JsonObject | null {
  if (!reference.startsWith('#')) return null;
  const target = valueAtPointer(root, reference.slice(1));
  return isJsonObject(target) ? target : null;
}

const slotTypes = new Set<string>(['string', 'integer', 'number', 'boolean', 'array', 'object']);
const isSlotType = (value: unknown): value is SlotType =>
  typeof value === 'string' && slotTypes.has(value);

function typeOfKeyword(schema: JsonObject): SlotType | null {
  const type = schema['type'];
  if (Array.isArray(type)) return type.find(isSlotType) ?? null;
  return isSlotType(type) ? type : null;
}

function typeOf(schema: JsonObject): SlotType {
  const declared = typeOfKeyword(schema);
  if (declared) return declared;
  if (isJsonObject(schema['properties'])) return 'object';
  if (schema['items'] !== undefined) return 'array';
  const sample: JsonValue | undefined =
    schema['const'] ?? (Array.isArray(schema['enum']) ? schema['enum'][0] : undefined);
  return typeof sample === 'number' ? 'number' : typeof sample === 'boolean' ? 'boolean' : 'string';
}
