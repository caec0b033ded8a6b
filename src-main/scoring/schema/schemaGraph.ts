import { isJsonObject, type JsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import { appendToPointer } from '../../../src-shared/domain/jsonPointer.ts';
import { MAX_DEPTH } from '../depth.ts';
import { isIn, readPlainKeywords, shown } from './readKeywords.ts';
import { ownDialect, readDialect, type SchemaDialect } from './schemaDialect.ts';
import { schemaPattern } from './schemaPattern.ts';
import { resolveDynamic, resolveReference } from './schemaReferences.ts';

/** A keyword that says nothing about arguments, because it can't be read. */
export interface UnreadableKeyword {
  /** JSON pointer into the schema; `#name` after it means the key itself. */
  path: string;
  reason: string;
}

/** One schema of a document, with its keywords in the form of 2020-12. */
export interface SchemaNode {
  path: string;
  /** Set for a schema that is true or false. */
  value: boolean | null;
  /** Keywords without subschemas. */
  plain: JsonObject;
  single: Map<string, SchemaNode>;
  lists: Map<string, SchemaNode[]>;
  named: Map<string, Map<string, SchemaNode>>;
  reference: SchemaNode | null;
  /** A keyword here can't be read. */
  unreadable: boolean;
  /** What can't be read might say which properties and items are evaluated. */
  opaque: boolean;
  /** What can't be read might name more properties. */
  open: boolean;
  /** Something that can't be read is here or below. */
  uncertain: boolean;
}

interface Draft {
  since?: SchemaDialect;
  until?: SchemaDialect;
}

const singleKeywords: Readonly<Record<string, Draft>> = {
  not: { since: 4 },
  if: { since: 7 },
  then: { since: 7 },
  else: { since: 7 },
  contains: { since: 6 },
  propertyNames: { since: 6 },
  additionalProperties: {},
  unevaluatedProperties: { since: 2019 },
  unevaluatedItems: { since: 2019 },
};
const listKeywords: Readonly<Record<string, Draft>> = {
  allOf: { since: 4 },
  anyOf: { since: 4 },
  oneOf: { since: 4 },
  prefixItems: { since: 2020 },
};
const namedKeywords: Readonly<Record<string, Draft>> = {
  properties: {},
  patternProperties: {},
  dependentSchemas: { since: 2019 },
};
/** References whose target depends on the draft. */
const referenceKeywords: Readonly<Record<string, Draft>> = {
  $ref: {},
  $dynamicRef: { since: 2020 },
  $recursiveRef: { since: 2019, until: 2019 },
};

const has = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** Longer places, of very deep schemas, are cut. */
const maxPath = 200;

/** `cutDepth` leaves nothing below the limit. */
const noSchema = (value: JsonValue, path: string): string =>
  value === null && path.split('/').length > MAX_DEPTH
    ? `the schema is nested deeper than ${MAX_DEPTH} levels`
    : `${shown(value)} isn't a schema`;

/** Reads all schemas that are reachable from a root, without recursion. */
export class SchemaGraph {
  readonly root: SchemaNode;
  readonly nodes: SchemaNode[] = [];
  readonly unreadable: UnreadableKeyword[] = [];
  readonly #document: JsonObject;
  readonly #byRaw = new Map<JsonObject, SchemaNode>();
  readonly #queue: { node: SchemaNode; raw: JsonObject; dialect: SchemaDialect }[] = [];

  constructor(document: JsonObject) {
    this.#document = document;
    this.root = this.#nodeOf(document, '', readDialect(document['$schema']));
    for (const { node, raw, dialect } of this.#queue) this.#read(node, raw, dialect);
    this.#cutCycles();
    this.#spreadUncertainty();
  }

  /** The node of a subschema; it is read when its turn comes. */
  #nodeOf(raw: JsonValue, path: string, dialect: SchemaDialect): SchemaNode {
    const before = isJsonObject(raw) ? this.#byRaw.get(raw) : undefined;
    if (before) return before;
    const node: SchemaNode = {
      path,
      value: typeof raw === 'boolean' ? raw : null,
      plain: {},
      single: new Map(),
      lists: new Map(),
      named: new Map(),
      reference: null,
      unreadable: false,
      opaque: false,
      open: false,
      uncertain: false,
    };
    this.nodes.push(node);
    if (isJsonObject(raw)) this.#byRaw.set(raw, node);
    if (isJsonObject(raw)) this.#queue.push({ node, raw, dialect: ownDialect(raw) ?? dialect });
    else if (node.value === null) this.#refuse(node, path, noSchema(raw, path));
    return node;
  }

  #refuse(node: SchemaNode, path: string, reason: string, opaque = true): void {
    node.unreadable = true;
    node.opaque ||= opaque;
    const shown = path.length > maxPath ? `${path.slice(0, maxPath)}…` : path;
    this.unreadable.push({ path: shown, reason });
  }

  #read(node: SchemaNode, raw: JsonObject, dialect: SchemaDialect): void {
    const at = (key: string): string => appendToPointer(node.path, key);
    const below = (value: JsonValue, path: string): SchemaNode =>
      this.#nodeOf(value, path, dialect);
    this.#readReferences(node, raw, dialect);
    // Up to draft-07, nothing counts next to a reference.
    if (dialect <= 7 && typeof raw['$ref'] === 'string') return;
    const { keywords, unreadable } = readPlainKeywords({ raw, dialect });
    node.plain = keywords;
    for (const { keyword, reason } of unreadable) this.#refuse(node, at(keyword), reason, false);
    for (const [key, value] of Object.entries(raw)) {
      const single = has(singleKeywords, key);
      const list = has(listKeywords, key);
      const named = has(namedKeywords, key);
      if (single && isIn(dialect, single)) node.single.set(key, below(value, at(key)));
      if (list && isIn(dialect, list)) this.#readList(node, key, value, below);
      if (named && isIn(dialect, named)) this.#readNamed(node, key, value, below);
      if (key === 'items') this.#readItems(node, raw, below);
      if (key === 'dependencies') this.#readDependencies(node, value, below);
      if (key === 'extends' && dialect === 3)
        this.#readList(node, 'allOf', Array.isArray(value) ? value : [value], below, key);
      if (key === 'disallow' && dialect === 3)
        node.single.set('not', below({ type: value }, at(key)));
    }
    this.#readFlags(node, raw);
  }

  #readReferences(node: SchemaNode, raw: JsonObject, dialect: SchemaDialect): void {
    for (const [key, draft] of Object.entries(referenceKeywords)) {
      const reference = raw[key];
      if (reference === undefined || !isIn(dialect, draft)) continue;
      const path = appendToPointer(node.path, key);
      const resolve = key === '$ref' ? resolveReference : resolveDynamic;
      const target =
        typeof reference === 'string' ? resolve(this.#document, reference, raw) : undefined;
      if (target === undefined)
        this.#refuse(node, path, `${shown(reference)} leads to nothing in this schema`);
      else if (node.reference === null) node.reference = this.#nodeOf(target, path, dialect);
      else node.lists.set('allOf', [this.#referring(target, path, dialect)]);
    }
  }

  /** A node for the second of two references of one schema. */
  #referring(target: JsonValue, path: string, dialect: SchemaDialect): SchemaNode {
    const node = this.#nodeOf({}, path, dialect);
    node.reference = this.#nodeOf(target, path, dialect);
    return node;
  }

  #readList(
    node: SchemaNode,
    key: string,
    value: JsonValue,
    below: (value: JsonValue, path: string) => SchemaNode,
    writtenAs = key,
  ): void {
    const path = appendToPointer(node.path, writtenAs);
    if (!Array.isArray(value)) return this.#refuse(node, path, 'it is not a list');
    if (value.length === 0 && key !== 'prefixItems')
      return this.#refuse(node, path, 'it lists no schema');
    const read = value.map((each, index) => below(each, appendToPointer(path, index)));
    node.lists.set(key, [...(node.lists.get(key) ?? []), ...read]);
  }

  #readNamed(
    node: SchemaNode,
    key: string,
    value: JsonValue,
    below: (value: JsonValue, path: string) => SchemaNode,
  ): void {
    const path = appendToPointer(node.path, key);
    if (!isJsonObject(value)) {
      node.open = true;
      return this.#refuse(node, path, 'it is not an object');
    }
    const read = new Map<string, SchemaNode>();
    for (const [name, each] of Object.entries(value)) {
      const place = appendToPointer(path, name);
      if (key === 'patternProperties' && schemaPattern(name) === null) {
        node.open = true;
        this.#refuse(node, `${place}#name`, "the name isn't a pattern of ECMAScript");
      } else read.set(name, below(each, place));
    }
    node.named.set(key, read);
  }

  /** A list of schemas is a tuple in every draft: 2020-12 has no other meaning for it. */
  #readItems(
    node: SchemaNode,
    raw: JsonObject,
    below: (value: JsonValue, path: string) => SchemaNode,
  ): void {
    const items = raw['items'];
    if (items === undefined) return;
    const at = (key: string): string => appendToPointer(node.path, key);
    if (!Array.isArray(items)) return void node.single.set('items', below(items, at('items')));
    if (items.length > 0) this.#readList(node, 'prefixItems', items, below, 'items');
    const additional = raw['additionalItems'];
    if (additional !== undefined)
      node.single.set('items', below(additional, at('additionalItems')));
  }

  #readDependencies(
    node: SchemaNode,
    value: JsonValue,
    below: (value: JsonValue, path: string) => SchemaNode,
  ): void {
    const path = appendToPointer(node.path, 'dependencies');
    if (!isJsonObject(value)) return this.#refuse(node, path, 'it is not an object');
    const required = new Map(Object.entries((node.plain['dependentRequired'] ?? {}) as JsonObject));
    const schemas = node.named.get('dependentSchemas') ?? new Map<string, SchemaNode>();
    for (const [name, each] of Object.entries(value)) {
      const place = appendToPointer(path, name);
      const names = typeof each === 'string' ? [each] : each;
      if (!Array.isArray(names)) schemas.set(name, below(names, place));
      else if (names.every((one) => typeof one === 'string')) required.set(name, names);
      else this.#refuse(node, place, 'not every name is a text');
    }
    if (required.size > 0) node.plain['dependentRequired'] = Object.fromEntries(required);
    if (schemas.size > 0) node.named.set('dependentSchemas', schemas);
  }

  /** `required: true` of a parameter, as in draft-03, has no other meaning in any later draft. */
  #readFlags(node: SchemaNode, raw: JsonObject): void {
    const properties = raw['properties'];
    if (!isJsonObject(properties)) return;
    const names = requiredByFlag(properties);
    if (names.length === 0) return;
    const listed = node.plain['required'];
    node.plain['required'] = [...new Set([...(Array.isArray(listed) ? listed : []), ...names])];
  }

  /** A schema that applies itself to the same value would never end: its reference decides nothing. */
  #cutCycles(): void {
    const state = new Map<SchemaNode, 'open' | 'done'>();
    for (const start of this.nodes) {
      const stack: { node: SchemaNode; rest: SchemaNode[] }[] = [];
      const enter = (node: SchemaNode): void => {
        state.set(node, 'open');
        stack.push({ node, rest: inPlace(node) });
      };
      if (!state.has(start)) enter(start);
      for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
        const next = top.rest.pop();
        if (next === undefined) {
          state.set(top.node, 'done');
          stack.pop();
        } else if (!state.has(next)) enter(next);
        else if (state.get(next) === 'open')
          this.#cut(
            stack.map(({ node }) => node),
            next,
          );
      }
    }
  }

  /** Removes the last reference of a circle that leads back to `first`. */
  #cut(path: readonly SchemaNode[], first: SchemaNode): void {
    const circle = path.slice(path.indexOf(first));
    const at = circle.findLastIndex(
      ({ reference }, index) => reference !== null && reference === (circle[index + 1] ?? first),
    );
    const node = circle[at];
    if (node === undefined) return;
    node.reference = null;
    this.#refuse(node, appendToPointer(node.path, '$ref'), 'it refers to itself');
  }

  #spreadUncertainty(): void {
    const users = new Map<SchemaNode, SchemaNode[]>();
    for (const node of this.nodes)
      for (const child of [...childrenOf(node), ...(node.reference ? [node.reference] : [])])
        users.set(child, [...(users.get(child) ?? []), node]);
    const queue = this.nodes.filter(({ unreadable }) => unreadable);
    for (const node of queue) node.uncertain = true;
    for (const node of queue)
      for (const user of users.get(node) ?? [])
        if (!user.uncertain) {
          user.uncertain = true;
          queue.push(user);
        }
  }
}

/** The parameters that say of themselves that they are required. */
export const requiredByFlag = (properties: JsonObject): string[] =>
  Object.entries(properties)
    .filter(([, schema]) => isJsonObject(schema) && schema['required'] === true)
    .map(([name]) => name);

function childrenOf(node: SchemaNode): SchemaNode[] {
  return [
    ...node.single.values(),
    ...[...node.lists.values()].flat(),
    ...[...node.named.values()].flatMap((each) => [...each.values()]),
  ];
}

const inPlaceSingle = ['not', 'if', 'then', 'else'];
const inPlaceLists = ['allOf', 'anyOf', 'oneOf'];

/** The schemas that apply to the same value. */
function inPlace(node: SchemaNode): SchemaNode[] {
  return [
    ...(node.reference ? [node.reference] : []),
    ...inPlaceSingle.flatMap((key) => node.single.get(key) ?? []),
    ...inPlaceLists.flatMap((key) => node.lists.get(key) ?? []),
    ...(node.named.get('dependentSchemas')?.values() ?? []),
  ];
}
