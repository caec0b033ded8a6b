import { isJsonObject, type JsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';

/** Plausible texts by what a parameter is called; the first matching row counts. */
const texts: readonly (readonly [name: RegExp, values: readonly string[]])[] = [
  [/mail/i, ['ada@example.org', 'ben@example.com', 'chloe@example.net', 'dev@example.org']],
  [
    /url|uri|link|website/i,
    ['https://example.org/prices', 'https://example.com/team', 'https://example.net/blog/7'],
  ],
  [/path|file|folder|dir/i, ['notes/plan.txt', 'reports/q3.csv', 'photos/lake.jpg', 'src/app.ts']],
  [/(?:^|_)id$/i, ['a1b2c3', 'k-204', 'x91', 'm-7']],
  [
    /query|search|term|keyword/i,
    ['quarterly plan', 'broken login', 'train to Porto', 'invoice 2044'],
  ],
  [/city|place|location/i, ['Lisbon', 'Oslo', 'Nairobi', 'Osaka']],
  [/person|user|assignee|owner|author/i, ['Ada', 'Ben', 'Chloe', 'Dev']],
  [/lang/i, ['German', 'Japanese', 'Spanish', 'Hindi']],
  [
    /name|title|subject/i,
    ['Garden plan', 'Bike repair', 'Team lunch', 'Tax return', 'Reading list'],
  ],
  [
    /./,
    ['a first draft', 'call the plumber', 'three boxes of tea', 'the red bicycle', 'see you soon'],
  ],
];
const days = ['2027-03-01', '2027-04-17', '2027-06-09', '2027-09-23'];

const pick = <Value>(values: readonly Value[], index: number): Value | undefined =>
  values[index % Math.max(1, values.length)];

/**
 * A value for each required parameter: the schema's own const, example, choice or default, else one
 * that fits its name and type. Another `index` gives other values, so that cases of one suite differ.
 * Values that a sentence can't hold are left to the schema.
 */
export function exampleArguments(schema: JsonObject, index: number): JsonObject {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required'])
    ? schema['required'].filter((name) => typeof name === 'string')
    : [];
  const parameters: JsonObject = {};
  for (const name of required) {
    const rules = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const value = exampleOf(name, isJsonObject(rules) ? rules : {}, index);
    if (typeof value === 'object') continue;
    Object.defineProperty(parameters, name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return parameters;
}

function exampleOf(name: string, rules: JsonObject, index: number): JsonValue {
  const choices = Array.isArray(rules['enum']) ? rules['enum'] : [];
  const examples = Array.isArray(rules['examples']) ? rules['examples'] : [];
  const given = rules['const'] ?? pick(examples, index) ?? pick(choices, index) ?? rules['default'];
  if (given !== undefined && given !== null) return given;
  switch (Array.isArray(rules['type']) ? rules['type'][0] : rules['type']) {
    case 'integer':
    case 'number':
      return numberFor(rules, index);
    case 'boolean':
      return index % 2 === 0;
    case 'array':
    case 'object':
      return {};
    default:
      return textFor(name, rules['format'], index);
  }
}

function numberFor(rules: JsonObject, index: number): number {
  const low = typeof rules['minimum'] === 'number' ? rules['minimum'] : 2;
  const high = typeof rules['maximum'] === 'number' ? rules['maximum'] : low + 20;
  return Math.min(high, low + 1 + (index % 7));
}

function textFor(name: string, format: JsonValue | undefined, index: number): string {
  const day = pick(days, index) ?? '';
  if (format === 'date-time') return `${day}T09:00:00Z`;
  if (format === 'date' || /date|day$|due/i.test(name)) return day;
  const called = format === 'email' ? 'email' : format === 'uri' ? 'url' : name;
  const values = texts.find(([pattern]) => pattern.test(called))?.[1] ?? [];
  return pick(values, index) ?? '';
}
