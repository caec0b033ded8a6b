import { isJsonObject, type JsonObject, type JsonValue } from '../../src-shared/domain/json.ts';
import { valueAtPointer } from '../../src-shared/domain/jsonPointer.ts';

/** A name that TypeScript takes for a member without quotes. */
const plain = /^[A-Za-z_$][\w$]*$/;

/** A name as an identifier of JavaScript: other characters become "_". */
export const identifier = (name: string): string =>
  name.replaceAll(/[^\w$]/gu, '_').replace(/^(?=\d)/, '_');

/**
 * A schema as a type of TypeScript, as Codex writes it for a model that calls tools by code: what no
 * type says (limits, formats, defaults) is left out, a reference into itself is followed once, and
 * after 32 references all others are unknown.
 */
export const typeText = (schema: JsonObject): string => new Types(schema).of(schema);

/** Of a schema without a type, the type that its members mean. */
const meant = [
  ['object', ['properties', 'required', 'additionalProperties']],
  ['array', ['items', 'prefixItems']],
] as const;

class Types {
  readonly #root: JsonObject;
  /** The references that are being followed. */
  #within: readonly string[] = [];
  /** How many more are followed. */
  #left = 32;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  of(schema: JsonValue | undefined): string {
    if (!isJsonObject(schema)) return schema === false ? 'never' : 'unknown';
    const { $ref, ...rest } = schema;
    if (typeof $ref === 'string') return this.#ofReference($ref, rest);
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    const { enum: values, anyOf, oneOf, allOf } = schema;
    if (isFilled(values)) return values.map((one) => JSON.stringify(one)).join(' | ');
    for (const parts of [anyOf, oneOf])
      if (isFilled(parts)) return parts.map((one) => this.of(one)).join(' | ');
    if (isFilled(allOf))
      return allOf
        .map((one) => this.of(one))
        .map((text) => (text.includes(' | ') ? `(${text})` : text))
        .join(' & ');
    const type = schema.type ?? meant.find(([, members]) => holds(schema, members))?.[0];
    const types = [type].flat().map((one) => this.#ofType(one, schema));
    return types.length === 0 ? 'unknown' : types.join(' | ');
  }

  #ofReference($ref: string, beside: JsonObject): string {
    const referred = this.#referred($ref);
    const rest = this.of(beside);
    if (rest === 'unknown') return referred;
    return referred === 'unknown' ? rest : `(${referred}) & (${rest})`;
  }

  #referred($ref: string): string {
    const before = this.#within;
    const times = before.filter((one) => one === $ref).length;
    const schema = /^#(?:\/|$)/u.test($ref) ? valueAtPointer(this.#root, $ref.slice(1)) : undefined;
    if (schema === undefined || times > 1 || this.#left === 0) return 'unknown';
    this.#left -= 1;
    this.#within = [...before, $ref];
    const text = this.of(schema);
    this.#within = before;
    return text;
  }

  #ofType(type: JsonValue | undefined, schema: JsonObject): string {
    if (type === 'object') return this.#ofObject(schema);
    if (type === 'array') return this.#ofArray(schema);
    if (type === 'integer' || type === 'number') return 'number';
    return type === 'string' || type === 'boolean' || type === 'null' ? type : 'unknown';
  }

  #ofArray({ items, prefixItems }: JsonObject): string {
    if (items !== undefined) return `Array<${this.of(items)}>`;
    return isFilled(prefixItems)
      ? `[${prefixItems.map((one) => this.of(one)).join(', ')}]`
      : 'unknown[]';
  }

  /** The members of an object in one line; in lines of their own if one of them is described. */
  #ofObject({ properties, required, additionalProperties: more }: JsonObject): string {
    const named = Object.entries(isJsonObject(properties) ? properties : {})
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, one]) => ({ name, one, said: saidLines(one) }));
    const isRequired = (name: string): boolean =>
      Array.isArray(required) && required.includes(name);
    const members = named.map(({ name, one, said }) => ({
      said,
      text: `${plain.test(name) ? name : JSON.stringify(name)}${isRequired(name) ? '' : '?'}: ${this.of(one)};`,
    }));
    if (more === true || isJsonObject(more))
      members.push({ said: [], text: `[key: string]: ${this.of(more)};` });
    else if (members.length === 0 && more !== false)
      members.push({ said: [], text: '[key: string]: unknown;' });
    if (members.length === 0) return '{}';
    if (members.every(({ said }) => said.length === 0))
      return `{ ${members.map(({ text }) => text).join(' ')} }`;
    const lines = members.flatMap(({ said, text }) => [...said.map((line) => `// ${line}`), text]);
    return ['{', ...lines.map((line) => `  ${line}`), '}'].join('\n');
  }
}

const isFilled = (value: JsonValue | undefined): value is JsonValue[] =>
  Array.isArray(value) && value.length > 0;

const holds = (schema: JsonObject, members: readonly string[]): boolean =>
  members.some((member) => schema[member] !== undefined);

/** The lines of a description that say something. */
const saidLines = (schema: JsonValue): string[] =>
  isJsonObject(schema) && typeof schema.description === 'string'
    ? schema.description
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '')
    : [];
