import { orElse } from '../../../src-shared/domain/orElse.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import {
  parsePointer,
  parsePointerFragment,
  valueAtPath,
} from '../../../src-shared/domain/jsonPointer.ts';

interface Index {
  /** The address of the resource that an object belongs to. */
  bases: Map<JsonObject, string>;
  /** Resources by their whole address, and by the `$id` as it is written. */
  resources: Map<string, JsonObject>;
  /** By `address#name`, and by the name alone. */
  anchors: Map<string, JsonObject>;
}

const indexes = new WeakMap<JsonObject, Index>();

/** Where a document without an address lies: an address that nothing else has. */
const nowhere = 'document:///';
/** Their values are data, so an `$id` in them names nothing. */
const dataKeywords = new Set(['enum', 'const', 'default', 'examples', 'example']);

function absolute(reference: string, base: string): string | null {
  return orElse(() => new URL(reference, base).href, null);
}

const identifier = (node: JsonObject): string | null => {
  const found = node['$id'] ?? node['id'];
  return typeof found === 'string' ? found : null;
};

/**
 * Indexes schemas by address and by anchor, once per document and without recursion; the first of a
 * name wins.
 */
function indexOf(root: JsonObject): Index {
  const before = indexes.get(root);
  if (before) return before;
  const index: Index = { bases: new Map(), resources: new Map(), anchors: new Map() };
  const { bases, resources, anchors } = index;
  const add = (map: Map<string, JsonObject>, name: string, node: JsonObject): void => {
    if (!map.has(name)) map.set(name, node);
  };
  add(resources, nowhere, root);
  const queue: [JsonValue, string][] = [[root, nowhere]];
  for (const [node, outer] of queue) {
    if (typeof node !== 'object' || node === null) continue;
    let base = outer;
    if (isJsonObject(node)) {
      const id = identifier(node);
      const [address = '', anchor] = id?.split('#', 2) ?? [];
      if (address !== '') {
        base = absolute(address, outer) ?? outer;
        add(resources, base, node);
        add(resources, address, node);
      }
      for (const name of [anchor, node['$anchor'], node['$dynamicAnchor']]) {
        if (typeof name !== 'string' || name === '') continue;
        add(anchors, `${base}#${name}`, node);
        add(anchors, name, node);
      }
      bases.set(node, base);
    }
    for (const [key, child] of Object.entries(node))
      if (!dataKeywords.has(key)) queue.push([child, base]);
  }
  indexes.set(root, index);
  return index;
}

/**
 * The target of a `$ref` inside the same document, read from the schema that contains it; undefined
 * for other documents, which are never fetched.
 */
export function resolveReference(
  root: JsonObject,
  reference: string,
  from: JsonObject = root,
): JsonValue | undefined {
  const at = reference.indexOf('#');
  const address = at < 0 ? reference : reference.slice(0, at);
  const fragment = at < 0 ? '' : reference.slice(at + 1);
  const { bases, resources, anchors } = indexOf(root);
  const base = bases.get(from) ?? nowhere;
  const whole = address === '' ? base : absolute(address, base);
  const resource = resources.get(whole ?? '') ?? resources.get(address);
  if (resource === undefined || fragment === '') return resource;
  if (!fragment.startsWith('/'))
    return anchors.get(`${whole}#${fragment}`) ?? anchors.get(fragment);
  // Servers publish stray percent signs: such a fragment is read as it is written.
  const path = parsePointerFragment(fragment) ?? parsePointer(fragment);
  // Servers also write pointers from the root inside a resource that has an address of its own.
  return valueAtPath(resource, path) ?? (address === '' ? valueAtPath(root, path) : undefined);
}

/**
 * What a `$dynamicRef` or `$recursiveRef` leads to. Evaluation begins at the root, so an anchor of
 * that name in the root resource is the outermost one; without it, the reference is an ordinary one.
 */
export function resolveDynamic(
  root: JsonObject,
  reference: string,
  from: JsonObject,
): JsonValue | undefined {
  const target = resolveReference(root, reference, from);
  if (!isJsonObject(target)) return target;
  if (target['$recursiveAnchor'] === true && root['$recursiveAnchor'] === true) return root;
  const name = reference.slice(reference.indexOf('#') + 1);
  if (name === '' || target['$dynamicAnchor'] !== name) return target;
  const { bases, anchors } = indexOf(root);
  return anchors.get(`${bases.get(root)}#${name}`) ?? target;
}
