import { parseJson } from '../../../src-shared/domain/exactNumber.ts';
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';

export type FieldKind = 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'texts' | 'json';

/** One parameter of a tool as a form field. */
export interface ArgumentField {
  name: string;
  kind: FieldKind;
  /** The kind by the schema alone, whatever the value is. */
  declaredKind: FieldKind;
  required: boolean;
  description: string | null;
  /** The allowed values of a `choice`. */
  choices: string[];
}

/**
 * The parameters that a schema declares at its top level, and those that only the value has. A
 * value that fits no other field gets a JSON field.
 */
export function argumentFields(schema: JsonObject, value: JsonObject): ArgumentField[] {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const declared = Object.entries(properties).map(([name, property]): ArgumentField => {
    const rules = isJsonObject(property) ? property : {};
    const choices = choicesOf(rules);
    const kind = choices.length > 0 ? 'choice' : kindOf(rules);
    const description = rules['description'];
    return {
      name,
      kind: fits(kind, choices, value[name]) ? kind : 'json',
      declaredKind: kind,
      required: required.includes(name),
      description: typeof description === 'string' ? description : null,
      choices,
    };
  });
  const further = Object.keys(value).filter((name) => !Object.hasOwn(properties, name));
  return [
    ...declared,
    ...further.map((name): ArgumentField => ({
      name,
      kind: 'json',
      declaredKind: 'json',
      required: false,
      description: 'Not in the schema.',
      choices: [],
    })),
  ];
}

function choicesOf(rules: JsonObject): string[] {
  const values = rules['enum'];
  return Array.isArray(values) &&
    values.length > 0 &&
    values.length <= 200 &&
    values.every((value) => typeof value === 'string')
    ? [...new Set(values)]
    : [];
}

function kindOf(rules: JsonObject): FieldKind {
  switch (rules['type']) {
    case 'string':
      return 'text';
    case 'number':
    case 'integer':
    case 'boolean':
      return rules['type'];
    case 'array': {
      const items = rules['items'];
      return isJsonObject(items) && items['type'] === 'string' && items['enum'] === undefined
        ? 'texts'
        : 'json';
    }
    default:
      return 'json';
  }
}

/** Whether the field can show the value without changing it. A missing value fits every field. */
function fits(kind: FieldKind, choices: readonly string[], value: JsonValue | undefined): boolean {
  if (value === undefined) return true;
  switch (kind) {
    case 'text':
      return typeof value === 'string';
    case 'choice':
      return typeof value === 'string' && choices.includes(value);
    case 'number':
      return typeof value === 'number';
    case 'integer':
      return Number.isSafeInteger(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'texts':
      return (
        Array.isArray(value) &&
        value.length > 0 &&
        value.every((item) => typeof item === 'string' && item !== '') &&
        new Set(value).size === value.length
      );
    case 'json':
      return true;
  }
}

/** The object with one member set; undefined removes the member. The order of the members stays. */
export function withArgument(
  value: JsonObject,
  name: string,
  member: JsonValue | undefined,
): JsonObject {
  if (member === undefined)
    return Object.fromEntries(Object.entries(value).filter(([other]) => other !== name));
  return { ...value, [name]: member };
}

/** The text of an object with some members as they are typed, so that unfinished text is kept. */
export function textWithDrafts(
  value: JsonObject,
  drafts: Readonly<Record<string, string>>,
): string {
  const names = [...new Set([...Object.keys(value), ...Object.keys(drafts)])];
  const members = names.flatMap((name) => {
    const text = drafts[name] ?? JSON.stringify(value[name], null, 2);
    return text.trim() === '' ? [] : [`${JSON.stringify(name)}: ${text}`];
  });
  const objectText = members.length === 0 ? '{}' : `{${members.join(', ')}}`;
  const read = readObject(objectText);
  return read === null ? objectText : JSON.stringify(read, null, 2);
}

export function readObject(text: string): JsonObject | null {
  try {
    const value = parseJson(text.trim() === '' ? '{}' : text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
