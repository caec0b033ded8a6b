import type { JsonObject, JsonValue } from '../../../src-shared/domain/json.ts';
import { cutDepth } from '../depth.ts';
import { SchemaGraph, type SchemaNode, type UnreadableKeyword } from './schemaGraph.ts';

/** A schema of any draft as one of 2020-12 that always compiles. */
export interface ReadSchema {
  schema: JsonObject;
  /** Keywords that decide nothing because they can't be read, in the order of the schema. */
  unreadable: readonly UnreadableKeyword[];
}

/**
 * What a keyword that can't be read is taken for. `may`: arguments that conform whatever it says, or
 * could conform, pass. `must`: only those pass that conform whatever it says.
 */
type Reading = 'may' | 'must';
const opposite = { may: 'must', must: 'may' } as const;

class Writer {
  readonly #definitions = new Map<string, JsonValue>();
  readonly #names = new Map<SchemaNode, Partial<Record<Reading, string>>>();
  readonly #queue: { node: SchemaNode; reading: Reading; name: string }[] = [];

  document(root: SchemaNode): JsonObject {
    const whole = this.#write(root, 'may');
    for (const { node, reading, name } of this.#queue)
      this.#definitions.set(name, this.#write(node, reading));
    const schema = typeof whole === 'object' ? whole : whole ? {} : { not: {} };
    return this.#definitions.size === 0
      ? schema
      : { ...schema, $defs: Object.fromEntries(this.#definitions) };
  }

  /** A schema that refers to a node, which is written once for each reading. */
  #refer(node: SchemaNode, wanted: Reading): JsonObject {
    const reading = node.uncertain ? wanted : 'may';
    const names = this.#names.get(node) ?? {};
    this.#names.set(node, names);
    let name = names[reading];
    if (name === undefined) {
      name = names[reading] = `s${this.#queue.length}`;
      this.#queue.push({ node, reading, name });
    }
    return { $ref: `#/$defs/${name}` };
  }

  /** Recursive: nodes are nested at most as deep as the document. */
  #write(node: SchemaNode, wanted: Reading): JsonObject | boolean {
    if (node.value !== null) return node.value;
    const reading = node.uncertain ? wanted : 'may';
    if (reading === 'must' && (node.unreadable || isUnevaluated(node))) return false;
    const { minContains, maxContains, ...plain } = node.plain;
    const also: JsonValue[] = [];
    const written: JsonObject = plain;
    if (node.reference) Object.assign(written, this.#refer(node.reference, reading));
    for (const [key, children] of node.named)
      written[key] = Object.fromEntries(
        [...children].map(([name, child]) => [name, this.#write(child, reading)]),
      );
    for (const [key, list] of node.lists) {
      if (key === 'oneOf' && list.some(({ uncertain }) => uncertain))
        also.push(...this.#oneOf(list, reading));
      else written[key] = list.map((child) => this.#write(child, reading));
    }
    const single = new Map(node.single);
    const condition = single.get('if');
    if (condition?.uncertain === true) {
      also.push(this.#condition(condition, single.get('then'), single.get('else'), reading));
      for (const key of ['if', 'then', 'else']) single.delete(key);
    }
    for (const [key, child] of single) {
      if (key === 'not') written[key] = this.#write(child, opposite[reading]);
      else if (key === 'contains')
        Object.assign(written, this.#contains(child, { minContains, maxContains }, reading, also));
      else if (key === 'if') written[key] = this.#write(child, 'may');
      else written[key] = this.#write(child, reading);
    }
    if (also.length > 0)
      written['allOf'] = [...((written['allOf'] as JsonValue[] | undefined) ?? []), ...also];
    if (node.open) delete written['additionalProperties'];
    if (node.opaque)
      Object.assign(written, { unevaluatedProperties: true, unevaluatedItems: true });
    return written;
  }

  /** One of the schemas, at least, in this reading, and at most one in the opposite one. */
  #oneOf(list: readonly SchemaNode[], reading: Reading): JsonValue[] {
    const others = list.map((child) => this.#refer(child, opposite[reading]));
    return [
      { anyOf: list.map((child) => this.#write(child, reading)) },
      { oneOf: [...others, { not: { anyOf: others } }] },
    ];
  }

  #condition(
    condition: SchemaNode,
    then: SchemaNode | undefined,
    otherwise: SchemaNode | undefined,
    reading: Reading,
  ): JsonObject {
    const branch = (child: SchemaNode | undefined): JsonValue =>
      child ? this.#write(child, reading) : true;
    const holds = this.#refer(condition, reading);
    const fails = { not: this.#refer(condition, opposite[reading]) };
    return reading === 'may'
      ? { anyOf: [{ allOf: [holds, branch(then)] }, { allOf: [fails, branch(otherwise)] }] }
      : { allOf: [{ anyOf: [fails, branch(then)] }, { anyOf: [holds, branch(otherwise)] }] };
  }

  #contains(
    child: SchemaNode,
    { minContains, maxContains }: Record<'minContains' | 'maxContains', JsonValue | undefined>,
    reading: Reading,
    also: JsonValue[],
  ): JsonObject {
    const least: JsonObject = minContains === undefined ? {} : { minContains };
    const contains = this.#write(child, reading);
    if (maxContains === undefined) return { contains, ...least };
    if (!child.uncertain) return { contains, ...least, maxContains };
    also.push({
      contains: this.#refer(child, opposite[reading]),
      minContains: 0,
      maxContains,
    });
    return { contains, ...least };
  }
}

/** What counts as unevaluated depends on which branches pass, so it is certain only if they are. */
const isUnevaluated = ({ single }: SchemaNode): boolean =>
  single.has('unevaluatedProperties') || single.has('unevaluatedItems');

const known = new WeakMap<JsonObject, ReadSchema>();

/**
 * Reads a schema of draft-03 to 2020-12 or OpenAPI as 2020-12 (docs/rules.md §3, Schemas of tools).
 * Only keywords that constrain values are kept, so annotations decide nothing. Local references are
 * resolved; nothing is fetched. A keyword that can't be read decides nothing: the schema that is
 * returned refuses arguments only if they violate the published one whatever that keyword means, also
 * under `not`, `if`, `oneOf` and `contains`, where simply leaving it out would refuse others. Pure;
 * cached per schema object.
 */
export function readSchema(schema: JsonObject): ReadSchema {
  let read = known.get(schema);
  if (read === undefined) {
    const { root, unreadable } = new SchemaGraph(cutDepth(schema));
    known.set(schema, (read = { schema: new Writer().document(root), unreadable }));
  }
  return read;
}
