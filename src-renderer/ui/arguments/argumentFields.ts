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
  /** What the schema says besides the type, for people: "Default 10. 1–100." */
  hint: string | null;
  minimum: number | null;
  maximum: number | null;
  /** The schema of an object with named members, which gets a form of its own; else null. */
  members: JsonObject | null;
  /** The schema of the items of an array that gets a form for each item; else null. */
  items: JsonObject | null;
  /** The schemas of objects of which the value is one; null if there is no such choice. */
  variants: JsonObject[] | null;
  /** True for an object of any names with texts, such as headers. */
  isMap: boolean;
  /** Values to choose from, besides any other, which our own forms give as `x-suggestions`. */
  suggestions: string[];
}

/**
 * The parameters that a schema declares at its top level, and those that only the value has. A
 * value that fits no other field gets a JSON field.
 */
export function argumentFields(
  schema: JsonObject,
  value: JsonObject,
  furtherHint = 'Not in the schema.',
): ArgumentField[] {
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
      ...limitsOf(rules),
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
      description: furtherHint,
      choices: [],
      ...limitsOf({}),
    })),
  ];
}

/** Reads the limits of a parameter. A hint names each of them, because a value must meet them. */
function limitsOf(
  rules: JsonObject,
): Pick<
  ArgumentField,
  'hint' | 'minimum' | 'maximum' | 'members' | 'items' | 'variants' | 'isMap' | 'suggestions'
> {
  const bound = (name: string): number | null =>
    typeof rules[name] === 'number' ? rules[name] : null;
  const range = (what: string, low: number | null, high: number | null): string | null =>
    low === null && high === null
      ? null
      : low === null
        ? `At most ${high}${what}.`
        : high === null
          ? `At least ${low}${what}.`
          : `${low}–${high}${what}.`;
  const [minimum, maximum] = [bound('minimum'), bound('maximum')];
  const choices = rules['enum'];
  const parts = [
    rules['default'] === undefined ? null : `Default: ${JSON.stringify(rules['default'])}.`,
    range('', minimum, maximum),
    range(' characters', bound('minLength'), bound('maxLength')),
    range(' items', bound('minItems'), bound('maxItems')),
    typeof rules['format'] === 'string' ? `Format: ${rules['format']}.` : null,
    Array.isArray(choices) && choicesOf(rules).length === 0
      ? `One of ${JSON.stringify(choices).slice(1, -1)}.`
      : null,
  ].filter((part) => part !== null);
  return {
    hint: parts.length === 0 ? null : parts.join(' ').slice(0, 400),
    minimum,
    maximum,
    members: hasMembers(rules) ? rules : null,
    variants: variantsOf(rules),
    items: rules['type'] === 'array' && hasForm(rules['items']) ? rules['items'] : null,
    isMap:
      rules['type'] === 'object' &&
      rules['properties'] === undefined &&
      isJsonObject(rules['additionalProperties']) &&
      rules['additionalProperties']['type'] === 'string',
    suggestions: Array.isArray(rules['x-suggestions'])
      ? rules['x-suggestions'].filter((text) => typeof text === 'string')
      : [],
  };
}

const hasMembers = (rules: JsonValue): rules is JsonObject =>
  isJsonObject(rules) &&
  rules['type'] === 'object' &&
  isJsonObject(rules['properties']) &&
  Object.keys(rules['properties']).length > 0;

function variantsOf(rules: JsonObject): JsonObject[] | null {
  const given = rules['anyOf'] ?? rules['oneOf'];
  return Array.isArray(given) && given.length > 1 && given.every(hasMembers) ? given : null;
}

/** What a choice of variants calls one of them: its title, else the names that it needs. */
export function variantName({ title, required, properties }: JsonObject): string {
  if (typeof title === 'string' && title !== '') return title;
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  const known = isJsonObject(properties) ? Object.keys(properties) : [];
  return (names.length > 0 ? names : known).join(', ');
}

/** Whether a value has what a variant needs, and nothing that it doesn't know. */
export function fitsVariant(variant: JsonObject, value: JsonObject): boolean {
  const known = isJsonObject(variant['properties']) ? variant['properties'] : {};
  const required = Array.isArray(variant['required']) ? variant['required'] : [];
  return (
    required.every((name) => typeof name === 'string' && Object.hasOwn(value, name)) &&
    Object.keys(value).every((name) => Object.hasOwn(known, name))
  );
}

/** Whether an item of this schema has an input other than JSON. */
function hasForm(items: JsonValue | undefined): items is JsonObject {
  return (
    isJsonObject(items) &&
    (kindOf(items) !== 'json' ||
      choicesOf(items).length > 0 ||
      hasMembers(items) ||
      variantsOf(items) !== null)
  );
}

export function newItemOf(items: JsonObject): JsonValue {
  const [choice] = choicesOf(items);
  if (choice !== undefined) return choice;
  switch (kindOf(items)) {
    case 'number':
    case 'integer':
      return typeof items['minimum'] === 'number' ? items['minimum'] : 0;
    case 'boolean':
      return false;
    case 'texts':
      return [];
    case 'text':
    case 'choice':
      return '';
    case 'json':
      return {};
  }
}

/** The description of a field and what its schema says besides; null if there is neither. */
export function descriptionOf({ description, hint }: ArgumentField): string | null {
  return [description?.slice(0, 400), hint].filter((part) => part != null).join(' ') || null;
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
      // Tags can't repeat. A schema that says so of its items gets a row for each.
      return isJsonObject(items) &&
        items['type'] === 'string' &&
        items['enum'] === undefined &&
        rules['uniqueItems'] !== false
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

/** The value that a JSON text holds; undefined if it is none. */
export function readJson(text: string | undefined): JsonValue | undefined {
  try {
    return text === undefined ? undefined : (parseJson(text) as JsonValue);
  } catch {
    return undefined;
  }
}

export function readObject(text: string): JsonObject | null {
  try {
    const value = parseJson(text.trim() === '' ? '{}' : text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
