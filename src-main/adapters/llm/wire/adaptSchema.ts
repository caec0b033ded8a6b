import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import { foldRoot } from './foldRoot.ts';
import {
  schemaKeywords,
  schemaListKeywords,
  schemaMapKeywords,
  isPattern,
  omittedKeywords,
  readTypes,
  valueChecks,
} from './keywords.ts';
import { parsePointerFragment, valueAtPath } from '../../../../src-shared/domain/jsonPointer.ts';

export type SchemaDialect = 'openai' | 'anthropic';

/**
 * The schema to send instead of a published one, with every place where it is looser; or why the
 * tool can't be offered.
 */
export type AdaptedSchema =
  | {
      schema: JsonObject;
      relaxations: string[];
      /** What is written in another form and allows the same. */
      rewrites: string[];
    }
  | { excluded: string };

const maxDepth = 64;
const maxParts = 5_000;
/** Parameter names that Anthropic accepts. */
const validPropertyName = /^[a-zA-Z0-9_.-]{1,64}$/;

/**
 * A schema that the provider accepts and that allows at least what the published one allows, except
 * for the parameters named in `relaxations`. Pure and deterministic: recursive, too deep and too
 * large parts become `{}`, and nothing is fetched. Source: docs/rules.md §3.
 */
export function adaptSchema(published: JsonObject, dialect: SchemaDialect): AdaptedSchema {
  const writer = new SchemaWriter(published);
  const inner = writer.schema(published, '#', []);
  if (!isJsonObject(inner)) return { excluded: 'Its input schema allows nothing.' };
  const types = readTypes(inner['type']);
  if (types.length > 0 && !types.includes('object'))
    return {
      excluded: `Its input schema requires ${types.join(' or ')}, but arguments are always an object.`,
    };
  if (types.length !== 1) writer.note('#', 'type set to object');
  const folded = foldRoot(inner, (text) => writer.note('#', text));
  if (dialect === 'openai') return writer.result(folded);
  return excludeInvalidNames(folded, writer);
}

function excludeInvalidNames(schema: JsonObject, writer: SchemaWriter): AdaptedSchema {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const bad = Object.keys(properties).filter((key) => !validPropertyName.test(key));
  if (bad.length === 0) return writer.result(schema);
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const needed = bad.find((key) => required.includes(key));
  if (needed !== undefined)
    return {
      excluded:
        `Its required parameter ${JSON.stringify(needed.slice(0, 80))} has a name that this ` +
        'provider does not take (letters, digits, "_", ".", "-", at most 64).',
    };
  for (const key of bad)
    writer.note(
      '#/properties',
      `optional parameter ${JSON.stringify(key.slice(0, 80))} left out: its name is not accepted`,
    );
  return writer.result({
    ...schema,
    properties: Object.fromEntries(
      Object.entries(properties).filter(([key]) => !bad.includes(key)),
    ),
  });
}

class SchemaWriter {
  readonly relaxations: string[] = [];
  readonly #rewrites = new Set<string>();
  readonly #root: JsonObject;
  #parts = 0;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  note(path: string, text: string): void {
    if (this.relaxations.length < 100) this.relaxations.push(`${path.slice(0, 200)}: ${text}`);
  }

  result(schema: JsonObject): AdaptedSchema {
    return { schema, relaxations: this.relaxations, rewrites: [...this.#rewrites].sort() };
  }

  /** One schema as it is sent; `open` lists the references that are being followed. */
  schema(value: JsonValue, path: string, open: readonly string[]): JsonObject | boolean {
    if (typeof value === 'boolean') return value;
    if (!isJsonObject(value)) return this.#nothing(path, "a value that isn't a schema left open");
    this.#parts += 1;
    if (this.#parts > maxParts)
      return this.#nothing(path, `left open, more than ${maxParts} parts`);
    if (path.split('/').length > maxDepth * 2 || open.length > maxDepth)
      return this.#nothing(path, 'left open, nested too deep');
    if ('$ref' in value) return this.#referenced(value, path, open);
    const entries = Object.entries(value).flatMap(([keyword, given]) =>
      this.#keyword(keyword, given, path, open),
    );
    return this.#completeArray(Object.fromEntries(entries), path);
  }

  #nothing(path: string, text: string): JsonObject {
    this.note(path, text);
    return {};
  }

  #referenced(
    { $ref: reference, ...siblings }: JsonObject,
    path: string,
    open: readonly string[],
  ): JsonObject | boolean {
    const target =
      typeof reference === 'string' ? findReferenced(this.#root, reference) : undefined;
    if (typeof reference !== 'string' || target === undefined) {
      this.note(path, 'a broken internal reference was left open');
      return this.schema(siblings, path, open);
    }
    this.#rewrites.add('references replaced by their targets');
    if (open.includes(reference)) return this.#nothing(path, `recursion of ${reference} left open`);
    const inlined = this.schema(target, path, [...open, reference]);
    const own = Object.keys(siblings).length > 0 ? this.schema(siblings, path, open) : {};
    if (!isJsonObject(inlined) || !isJsonObject(own)) return inlined;
    const shared = Object.keys(own).filter(
      (keyword) =>
        Object.hasOwn(inlined, keyword) &&
        !['title', 'description', 'default', 'examples'].includes(keyword),
    );
    return shared.length > 0 ? { allOf: [inlined, own] } : { ...inlined, ...own };
  }

  #keyword(
    keyword: string,
    given: JsonValue,
    path: string,
    open: readonly string[],
  ): [string, JsonValue][] {
    const at = `${path}/${keyword}`;
    const drop = (text: string): [string, JsonValue][] => {
      this.note(at, text);
      return [];
    };
    if (omittedKeywords.has(keyword) || (keyword === 'id' && typeof given === 'string')) {
      this.#rewrites.add(`${keyword} left out`);
      return [];
    }
    if (keyword === 'type') {
      const types = readTypes(given);
      const asked = Array.isArray(given) ? given.length : 1;
      if (types.length < asked) this.note(at, "a value that isn't a type left out");
      return types.length === 0 || types.length < asked
        ? []
        : [[keyword, Array.isArray(given) ? types : (types[0] ?? null)]];
    }
    if (keyword === 'items' && Array.isArray(given)) {
      this.note(at, 'one schema per position became one for all');
      return [[keyword, this.#anyOf(given, at, open)]];
    }
    if (schemaKeywords.has(keyword)) {
      const schema = this.schema(given, at, open);
      return [[keyword, keyword === 'items' && schema === true ? {} : schema]];
    }
    if (schemaListKeywords.has(keyword)) {
      if (!Array.isArray(given) || given.length === 0)
        return drop("a value that isn't a list of schemas left out");
      return [[keyword, given.map((each, index) => this.schema(each, `${at}/${index}`, open))]];
    }
    if (schemaMapKeywords.has(keyword))
      return isJsonObject(given)
        ? [[keyword, this.#map(keyword, given, at, open)]]
        : drop("a value that isn't a map of schemas left out");
    if (
      (keyword === 'exclusiveMinimum' || keyword === 'exclusiveMaximum') &&
      typeof given === 'boolean'
    )
      return given ? drop('the older form left out') : [];
    if (keyword === 'dependencies') return drop('the older form left out');
    const check = Object.hasOwn(valueChecks, keyword) ? valueChecks[keyword] : undefined;
    return check && !check(given)
      ? drop("a value that JSON Schema doesn't allow left out")
      : [[keyword, given]];
  }

  #map(keyword: string, given: JsonObject, at: string, open: readonly string[]): JsonObject {
    const entries = Object.entries(given).flatMap(([name, each]): [string, JsonValue][] => {
      if (keyword === 'patternProperties' && !isPattern(name)) {
        this.note(at, 'an invalid pattern left out');
        return [];
      }
      const schema = this.schema(each, `${at}/${name.slice(0, 64)}`, open);
      return [[name, schema === true ? {} : schema]];
    });
    return Object.fromEntries(entries);
  }

  #anyOf(list: readonly JsonValue[], at: string, open: readonly string[]): JsonObject {
    const schemas = list.map((each, index) => this.schema(each, `${at}/${index}`, open));
    if (schemas.length === 0 || schemas.some((schema) => schema === true)) return {};
    return { anyOf: schemas };
  }

  #completeArray(schema: JsonObject, path: string): JsonObject {
    if (!readTypes(schema['type']).includes('array') || 'items' in schema) return schema;
    this.note(path, 'items: {} added');
    return { ...schema, items: {} };
  }
}

/**
 * The part of a schema that a local reference points to (`#`, `#/a/b`, `#name`, with or without the
 * schema's own id before them); undefined where there is none. Nothing is fetched.
 */
function findReferenced(root: JsonObject, reference: string): JsonValue | undefined {
  const own =
    typeof root['$id'] === 'string'
      ? root['$id']
      : typeof root['id'] === 'string'
        ? root['id']
        : '';
  const ownBase = own.replace(/#.*$/, '');
  const local =
    ownBase !== '' && reference.startsWith(`${ownBase}#`)
      ? reference.slice(ownBase.length)
      : reference;
  if (local === '#' || local === '#/') return root;
  if (local.startsWith('#/')) return follow(root, local.slice(1));
  return local.startsWith('#') ? findAnchor(root, local.slice(1)) : undefined;
}

function follow(root: JsonObject, fragment: string): JsonValue | undefined {
  const path = parsePointerFragment(fragment);
  return path === null ? undefined : valueAtPath(root, path);
}

function findAnchor(root: JsonObject, name: string): JsonObject | undefined {
  const waiting: JsonValue[] = [root];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (
      isJsonObject(next) &&
      (next['$anchor'] === name || next['$dynamicAnchor'] === name || next['$id'] === `#${name}`)
    )
      return next;
    if (typeof next === 'object' && next !== null) waiting.push(...Object.values(next));
  }
  return undefined;
}
