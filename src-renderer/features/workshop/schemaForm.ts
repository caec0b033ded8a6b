import { isJsonObject, type JsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import { argumentFields } from '../../ui/arguments/argumentFields.ts';

export const formTypes = ['string', 'integer', 'number', 'boolean', 'array', 'object'] as const;
export type FormType = (typeof formTypes)[number];

/** One property of an object schema, with its own schema. */
export interface Property {
  name: string;
  required: boolean;
  rules: JsonValue;
}

/** The properties of an object schema; null if it doesn't list them as a form needs it. */
export function readProperties(schema: JsonObject): Property[] | null {
  const properties = schema['properties'] ?? {};
  const required = schema['required'] ?? [];
  if (!isJsonObject(properties) || !Array.isArray(required)) return null;
  return Object.entries(properties).map(([name, rules]) => ({
    name,
    required: required.includes(name),
    rules,
  }));
}

/** The schema with these properties. All other keywords keep their value and place. */
export function writeProperties(schema: JsonObject, properties: readonly Property[]): JsonObject {
  const before = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const listed = Array.isArray(schema['required']) ? schema['required'] : [];
  // A name can be required without being described.
  const others = listed.filter((name) => typeof name !== 'string' || !Object.hasOwn(before, name));
  const required = [
    ...properties.filter((property) => property.required).map(({ name }) => name),
    ...others,
  ];
  const written: JsonObject = {
    ...schema,
    properties: Object.fromEntries(properties.map(({ name, rules }) => [name, rules])),
  };
  // An empty list stays if it was one.
  const isKept = required.length > 0 || (schema['required'] !== undefined && listed.length === 0);
  return withKeyword(written, 'required', isKept ? required : undefined);
}

/** The type that the form can show; null for any type, several, or none that it knows. */
export function typeOf(rules: JsonObject): FormType | null {
  return formTypes.find((type) => type === rules['type']) ?? null;
}

/** The type as the schema has it, for one that the form can't show. */
export function givenType({ type }: JsonObject): string {
  if (type === undefined) return 'any';
  if (typeof type === 'string' && type !== '') return type;
  return Array.isArray(type) && type.length > 0
    ? type.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join(' or ')
    : JSON.stringify(type);
}

const numeric = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
/** Keywords that say something about one type only. */
const keywordsOfType: Record<FormType, readonly string[]> = {
  string: ['minLength', 'maxLength', 'pattern', 'format'],
  integer: numeric,
  number: numeric,
  boolean: [],
  array: ['items', 'minItems', 'maxItems', 'uniqueItems'],
  object: ['properties', 'required', 'additionalProperties'],
};

/** The rules of another type: keywords that can't hold for it are dropped. */
export function withType(rules: JsonObject, type: FormType): JsonObject {
  const kept = new Set(keywordsOfType[type]);
  const dropped = new Set(
    [...Object.values(keywordsOfType).flat(), 'default', 'enum', 'const'].filter(
      (keyword) => !kept.has(keyword),
    ),
  );
  const rest = Object.entries(rules).filter(
    ([keyword]) => keyword !== 'type' && !dropped.has(keyword),
  );
  return { type, ...Object.fromEntries(rest) };
}

/** Keywords that have inputs of their own next to the limits. */
function shownApart(rules: JsonObject): Set<string> {
  const type = typeOf(rules);
  const apart = new Set(['description']);
  if (type !== null) apart.add('type');
  if (type === 'array' && (rules['items'] === undefined || isJsonObject(rules['items'])))
    apart.add('items');
  if (type === 'object' && readProperties(rules) !== null) apart.add('properties').add('required');
  return apart;
}

/** What is left of the rules for the form of limits, which keeps what it has no input for as JSON. */
export function limitsOf(rules: JsonObject): JsonObject {
  const apart = shownApart(rules);
  return Object.fromEntries(Object.entries(rules).filter(([keyword]) => !apart.has(keyword)));
}

/** The rules with these limits. Keywords keep their place. */
export function withLimits(rules: JsonObject, limits: JsonObject): JsonObject {
  const apart = shownApart(rules);
  const kept = Object.entries(rules).flatMap(([keyword, value]): [string, JsonValue][] => {
    if (apart.has(keyword)) return [[keyword, value]];
    const limit = limits[keyword];
    return limit === undefined ? [] : [[keyword, limit]];
  });
  return { ...Object.fromEntries(kept), ...limits };
}

/** Sets one keyword, or removes it. */
export function withKeyword(
  rules: JsonObject,
  keyword: string,
  value: JsonValue | undefined,
): JsonObject {
  if (value !== undefined) return { ...rules, [keyword]: value };
  return Object.fromEntries(Object.entries(rules).filter(([other]) => other !== keyword));
}

const count = { type: 'integer', minimum: 0 };

export function limitsSchema(rules: JsonObject): JsonObject {
  const type = typeOf(rules);
  const choices = rules['enum'];
  const scalar: JsonObject = type === null ? {} : { type };
  const withChoices: JsonObject = {
    default: {
      ...scalar,
      ...(Array.isArray(choices) && type === 'string' ? { enum: choices } : {}),
      description: 'The value if none is given.',
    },
    enum: { type: 'array', items: scalar, description: 'The only values that are allowed.' },
  };
  const limits: Record<FormType, JsonObject> = {
    string: {
      ...withChoices,
      format: { type: 'string', description: 'For example date, date-time, email, uri, or uuid.' },
      minLength: { ...count, description: 'Characters, at least.' },
      maxLength: { ...count, description: 'Characters, at most.' },
      pattern: { type: 'string', description: 'A regular expression.' },
      examples: { type: 'array', items: { type: 'string' }, description: 'Values to try it with.' },
    },
    integer: { ...withChoices, minimum: { type: 'number' }, maximum: { type: 'number' } },
    number: { ...withChoices, minimum: { type: 'number' }, maximum: { type: 'number' } },
    boolean: { default: { type: 'boolean', description: 'The value if none is given.' } },
    array: { minItems: count, maxItems: count },
    object: {
      additionalProperties: {
        type: 'boolean',
        description: 'Whether properties that are not listed are allowed.',
      },
    },
  };
  return { type: 'object', properties: type === null ? {} : limits[type] };
}

/** What the limits say, for people: "Default: 10. 1–100." */
export function limitsText(rules: JsonObject): string | null {
  const [field] = argumentFields({ properties: { it: rules } }, {});
  if (field === undefined) return null;
  const choices = field.choices.length === 0 ? null : `One of ${field.choices.join(', ')}.`;
  return [field.hint, choices].filter((part) => part !== null).join(' ') || null;
}

/**
 * Keywords beside the properties, which the form doesn't show. They are named and kept; null if the
 * schema isn't one that the form can show.
 */
export function keptKeywords(schema: JsonObject): string[] | null {
  if (schema['type'] !== 'object' || readProperties(schema) === null) return null;
  const shown = new Set(['type', 'properties', 'required', '$schema']);
  return Object.keys(schema).filter((keyword) => !shown.has(keyword));
}
