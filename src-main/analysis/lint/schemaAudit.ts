import { isJsonObject, type JsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import { appendToPointer } from '../../../src-shared/domain/jsonPointer.ts';
import { MAX_DEPTH, cutDepth, deepPlace, exceedsDepth } from '../../scoring/depth.ts';
import { readPlainKeywords } from '../../scoring/schema/readKeywords.ts';
import {
  isKnownDialect,
  ownDialect,
  readDialect,
  type SchemaDialect,
} from '../../scoring/schema/schemaDialect.ts';
import { resolveDynamic, resolveReference } from '../../scoring/schema/schemaReferences.ts';
import { patternFlaws } from './schemaPatterns.ts';
import type { SchemaFlawKind } from './schemaRefusals.ts';

/** One place of a tool that clients or providers refuse. */
export interface SchemaFlaw {
  kind: SchemaFlawKind;
  /** JSON pointer within the tool. `#name` after it means the key itself. */
  place: string;
  /** What is wrong there, as the end of a sentence that begins with the place. */
  what: string;
}

/** The two schemas of a tool: providers see only the first. */
export type SchemaPart = 'inputSchema' | 'outputSchema';

const singleSchemas = new Set(
  (
    'additionalProperties additionalItems unevaluatedProperties unevaluatedItems items contains not ' +
    'if then else propertyNames contentSchema'
  ).split(' '),
);
const schemaLists = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const schemaMaps = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
]);
const references = new Set(['$ref', '$dynamicRef', '$recursiveRef']);
/** Keywords that are texts and decide nothing. */
const texts = new Set(['title', 'description', '$comment', '$id', '$schema', 'format']);
/** Other keywords that may not be null. */
const otherKeywords = new Set(
  (
    'type enum examples pattern required minimum maximum exclusiveMinimum exclusiveMaximum multipleOf ' +
    'minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains ' +
    'uniqueItems dependentRequired dependencies deprecated readOnly writeOnly $anchor'
  ).split(' '),
);
/** Names of properties that Anthropic accepts, at the top. */
const propertyName = /^[a-zA-Z0-9_.-]{1,64}$/u;

const isNamed = (keyword: string): boolean =>
  [singleSchemas, schemaLists, schemaMaps, references, texts, otherKeywords].some((set) =>
    set.has(keyword),
  );

const shown = (value: JsonValue): string => {
  const text = JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
};

interface Position {
  schema: JsonObject;
  place: string;
  dialect: SchemaDialect;
  isRoot: boolean;
}

/**
 * Every flaw of a schema, at its own place, definitions included. References are not followed, so each
 * place is read once; nothing is fetched. Without recursion: O(size of the schema).
 */
export function auditSchema(schema: JsonObject, part: SchemaPart): SchemaFlaw[] {
  return new Audit(schema, part).flaws;
}

class Audit {
  readonly flaws: SchemaFlaw[] = [];
  readonly #document: JsonObject;
  readonly #isInput: boolean;
  readonly #queue: Position[] = [];
  /** Where each schema leads: to the schemas in it, and through references. */
  readonly #edges = new Map<JsonObject, { to: JsonObject; reference: string | null }[]>();

  constructor(schema: JsonObject, part: SchemaPart) {
    this.#document = cutDepth(schema);
    this.#isInput = part === 'inputSchema';
    if (exceedsDepth(schema))
      this.#add('no-meaning', `/${part}${deepPlace(schema).replace(/^\/$/u, '')}`, [
        `nested deeper than ${MAX_DEPTH} levels`,
      ]);
    const dialect = readDialect(this.#document['$schema']);
    this.#queue.push({ schema: this.#document, place: `/${part}`, dialect, isRoot: true });
    for (const position of this.#queue) this.#read(position);
    this.#findRecursion();
  }

  #add(kind: SchemaFlawKind, place: string, [what]: [string]): void {
    this.flaws.push({ kind, place, what });
  }

  #read(position: Position): void {
    const { schema, place, isRoot } = position;
    this.#edges.set(schema, []);
    if (isRoot) this.#readRoot(schema, place);
    this.#readDialect(position);
    const unreadable = new Map(
      readPlainKeywords({ raw: schema, dialect: position.dialect }).unreadable.map(
        ({ keyword, reason }) => [keyword, reason],
      ),
    );
    for (const [keyword, value] of Object.entries(schema)) {
      const at = appendToPointer(place, keyword);
      if (value === null) {
        if (isNamed(keyword) && keyword !== 'const') this.#readNull(keyword, at, isRoot);
      } else if (keyword === 'pattern' && typeof value === 'string') this.#readPattern(value, at);
      else if (references.has(keyword)) this.#readReference(keyword, value, at, schema);
      else if (schemaMaps.has(keyword)) this.#readMap(keyword, value, at, position);
      else if (schemaLists.has(keyword)) this.#readList(value, at, position);
      else if (singleSchemas.has(keyword)) this.#readSingle(keyword, value, at, position);
      else if (texts.has(keyword) && typeof value !== 'string')
        this.#add('keyword', at, [`${shown(value)} isn't a text`]);
      else if (keyword === 'examples' && !Array.isArray(value))
        this.#add('keyword', at, ['"examples" isn’t a list']);
      else this.#readPlain(keyword, value, at, position, unreadable.get(keyword));
    }
    this.#readArray(schema, place);
  }

  #readRoot(schema: JsonObject, place: string): void {
    const { type } = schema;
    const kind = this.#isInput ? 'root-type' : 'output-root';
    if (type === undefined) this.#add(kind, place, ['it has no "type": "object"']);
    else if (type !== 'object')
      this.#add(kind, appendToPointer(place, 'type'), [`the type is ${shown(type)}, not "object"`]);
    if (!this.#isInput) return;
    const unions = ['anyOf', 'oneOf', 'allOf', 'enum', 'not'].filter((word) => word in schema);
    for (const word of unions)
      this.#add('root-union', appendToPointer(place, word), [`"${word}" at the top`]);
    if (type === 'object' && schema['properties'] === undefined && !('$ref' in schema))
      if (unions.length === 0) this.#add('no-properties', place, ['it has no "properties"']);
  }

  #readDialect({ schema, place, isRoot }: Position): void {
    const named = schema['$schema'];
    if (typeof named !== 'string') return;
    const at = appendToPointer(place, '$schema');
    if (!isKnownDialect(named))
      this.#add('dialect', at, [`${shown(named)} isn't a known draft of JSON Schema`]);
    else if (isRoot && !this.#isInput && readDialect(named) !== 2020)
      this.#add('output-dialect', at, [`${shown(named)} isn't draft 2020-12`]);
    else if (isRoot && readDialect(named) === 2019)
      this.#add('dialect-2019', at, [`${shown(named)} is draft 2019-09`]);
  }

  #readNull(keyword: string, at: string, isRoot: boolean): void {
    const isMember = isRoot && (keyword === 'properties' || keyword === 'required');
    this.#add(isMember ? 'null-root-member' : 'null-keyword', at, [`"${keyword}" is null`]);
  }

  #readPattern(pattern: string, at: string): void {
    // Patterns of output schemas are sent to nobody.
    if (!this.#isInput) {
      if (patternFlaws(pattern).some(([kind]) => kind === 'not-ecmascript'))
        this.#add('not-ecmascript', at, [`${shown(pattern)} isn't a pattern of ECMAScript`]);
      return;
    }
    for (const [kind, what] of patternFlaws(pattern))
      this.#add(kind, at, [`the pattern ${shown(pattern)} has ${what}`]);
  }

  #readReference(keyword: string, value: JsonValue, at: string, from: JsonObject): void {
    if (typeof value !== 'string')
      return this.#add('keyword', at, [`${shown(value)} isn't a text`]);
    const resolve = keyword === '$ref' ? resolveReference : resolveDynamic;
    const target = resolve(this.#document, value, from);
    if (target === undefined)
      this.#add('reference', at, [
        /^(?:https?|file|urn):/iu.test(value)
          ? `${shown(value)} leads to another document, which nobody fetches`
          : `${shown(value)} leads to nothing in this schema`,
      ]);
    else if (isJsonObject(target)) this.#edges.get(from)?.push({ to: target, reference: at });
  }

  #readMap(keyword: string, value: JsonValue, at: string, position: Position): void {
    const isTop = position.isRoot && keyword === 'properties';
    if (!isJsonObject(value)) {
      const kind = isTop ? 'root-members' : 'keyword';
      return this.#add(kind, at, [
        `"${keyword}" is ${Array.isArray(value) ? 'a list' : shown(value)}, not an object`,
      ]);
    }
    for (const [name, each] of Object.entries(value)) {
      const place = appendToPointer(at, name);
      if (keyword === 'properties') {
        if (isTop && this.#isInput && !propertyName.test(name))
          this.#add('property-name', `${place}#name`, [
            `the name ${shown(name)} isn't 1 to 64 letters, digits, "_", "." or "-"`,
          ]);
        else if (name === '') this.#add('empty-name', `${place}#name`, ['the name is ""']);
        if (typeof each === 'boolean') {
          this.#add(isTop ? 'boolean-property' : 'boolean-below', place, [
            `the schema is "${String(each)}", not an object`,
          ]);
          continue;
        }
      }
      if (keyword === 'patternProperties') this.#readPattern(name, `${place}#name`);
      if (each === null)
        this.#add(isTop ? 'null-property' : 'null-keyword', place, [`"${name}" is null`]);
      else this.#below(each, place, position, isTop);
    }
  }

  #readList(value: JsonValue, at: string, position: Position): void {
    if (!Array.isArray(value))
      return this.#add('keyword', at, ['it isn’t a list of schemas ("[…]")']);
    if (value.length === 0) this.#add('keyword', at, ['the list of schemas is empty ("[]")']);
    value.forEach((each, index) => {
      this.#below(each, appendToPointer(at, index), position);
    });
  }

  #readSingle(keyword: string, value: JsonValue, at: string, position: Position): void {
    if (keyword === 'items' && Array.isArray(value)) {
      if (this.#isInput)
        this.#add('tuple', at, ['"items" is a list of schemas, as up to draft 2019-09']);
      value.forEach((each, index) => {
        this.#below(each, appendToPointer(at, index), position);
      });
    } else this.#below(value, at, position);
  }

  /** Reads a schema in its turn; what is none is a flaw here. */
  #below(value: JsonValue, place: string, { schema, dialect }: Position, isTop = false): void {
    if (typeof value === 'boolean') return;
    if (value === null) return this.#add('null-keyword', place, ['a schema is null ("null")']);
    if (!isJsonObject(value)) {
      const kind = isTop ? 'root-members' : 'keyword';
      return this.#add(kind, place, [`${shown(value)} isn't a schema`]);
    }
    this.#edges.get(schema)?.push({ to: value, reference: null });
    const own = ownDialect(value) ?? dialect;
    this.#queue.push({ schema: value, place, dialect: own, isRoot: false });
  }

  #readPlain(
    keyword: string,
    value: JsonValue,
    at: string,
    { isRoot }: Position,
    reason: string | undefined,
  ): void {
    const isMember = isRoot && keyword === 'required';
    if (keyword === 'type') return this.#readType(value, at, reason);
    if (keyword === 'required') {
      const kind = isMember ? 'required-type' : 'keyword';
      if (!Array.isArray(value))
        return this.#add(kind, at, [`${shown(value)} isn't a list of names`]);
      if (reason !== undefined) return this.#add(kind, at, [`${shown(value)}: ${reason}`]);
    } else if (reason !== undefined)
      return this.#add(keyword === 'enum' && Array.isArray(value) ? 'no-meaning' : 'keyword', at, [
        `"${keyword}" is ${shown(value)}: ${reason}`,
      ]);
    if (/^exclusiveM(?:in|ax)imum$/u.test(keyword) && typeof value === 'boolean')
      this.#add('keyword', at, [`"${keyword}" is ${String(value)}, as in draft-04, not a number`]);
    if (keyword === 'required' || keyword === 'enum') this.#readRepeats(keyword, value, at);
    if (keyword === 'dependencies' && !isJsonObject(value))
      this.#add('keyword', at, ['"dependencies" isn’t an object']);
    if (keyword === 'dependencies' && isJsonObject(value))
      for (const [name, each] of Object.entries(value))
        if (each === null || typeof each === 'number' || (Array.isArray(each) && !isTexts(each)))
          this.#add('keyword', appendToPointer(at, name), [
            'it is neither names nor a schema ("{}")',
          ]);
  }

  #readType(value: JsonValue, at: string, reason: string | undefined): void {
    const names = Array.isArray(value) ? value : [value];
    const odd = names.find((name) => typeof name === 'string' && !typeNames.has(name));
    if (odd !== undefined)
      this.#add('type-name', at, [`${shown(odd)} isn't a type of JSON Schema`]);
    else if (reason !== undefined)
      this.#add('keyword', at, [`"type" is ${shown(value)}: ${reason}`]);
    else if (new Set(names).size < names.length)
      this.#add('duplicate-value', at, [`"type" lists a type twice: ${shown(value)}`]);
  }

  #readRepeats(keyword: 'required' | 'enum', value: JsonValue, at: string): void {
    if (!Array.isArray(value)) return;
    const seen = new Set<string>();
    for (const each of value) {
      const text = JSON.stringify(each);
      if (seen.has(text))
        return this.#add(keyword === 'required' ? 'duplicate-required' : 'duplicate-value', at, [
          `"${keyword}" lists ${shown(each)} twice`,
        ]);
      seen.add(text);
    }
  }

  #readArray(schema: JsonObject, place: string): void {
    const { type } = schema;
    const isArray = type === 'array' || (Array.isArray(type) && type.includes('array'));
    if (isArray && this.#isInput && !('items' in schema))
      this.#add('array-items', place, ['an array without "items"']);
  }

  /** A reference that leads back to a schema that contains it: inlined, it would never end. */
  #findRecursion(): void {
    const state = new Map<JsonObject, 'open' | 'done'>();
    for (const { schema: start } of this.#queue) {
      if (state.has(start)) continue;
      const stack = [{ schema: start, next: 0 }];
      state.set(start, 'open');
      for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
        const edge = this.#edges.get(top.schema)?.[top.next];
        top.next += 1;
        if (edge === undefined) {
          state.set(top.schema, 'done');
          stack.pop();
        } else if (!state.has(edge.to)) {
          state.set(edge.to, 'open');
          stack.push({ schema: edge.to, next: 0 });
        } else if (state.get(edge.to) === 'open' && edge.reference !== null)
          this.#add('recursion', edge.reference, ['the schema contains itself through "$ref"']);
      }
    }
  }
}

const typeNames = new Set(['null', 'boolean', 'object', 'array', 'number', 'string', 'integer']);
const isTexts = (list: readonly JsonValue[]): boolean =>
  list.every((each) => typeof each === 'string');
