import { expect, it } from 'vitest';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import { contradictsSchema } from './schemaClaims.ts';

const contradicts = (text: string, properties: JsonObject, required: string[] = []): boolean =>
  contradictsSchema(text, {
    server: 'harbor',
    name: 'get_tides',
    description: '',
    inputSchema: { type: 'object', properties, required },
  });

const pier = { type: 'string' };
const kind = { type: 'string', enum: ['high', 'low'] };
const from = { type: 'integer', default: 7_200, description: 'Seconds back (defaults to 2h)' };
const sort = { type: 'string', enum: ['date', 'depth'], default: 'date' };
const limit = { type: 'integer', minimum: 1, maximum: 50, default: 20 };

it.each<[what: string, text: string, properties: JsonObject, required?: string[]]>([
  ['lacks a required parameter', 'Example: { "pier": "A" }', { pier, day: {} }, ['pier', 'day']],
  [
    'spans lines and has a value that is not allowed',
    'Example:\n{\n  "kind": "spring",\n  "pier": "A"\n}',
    { pier, kind },
  ],
  ['is written as a script', "get_tides({kind: 'spring'})", { kind }],
  ['has a value of another type', '{ "pier": ["A"] }', { pier }],
  [
    'has a list with a value that is not allowed',
    '{ "kinds": ["spring"] }',
    {
      kinds: { type: 'array', items: kind },
    },
  ],
])('finds an example that %s', (_, text, properties, required) => {
  expect(contradicts(text, properties, required)).toBe(true);
});

it.each<[what: string, text: string, properties: JsonObject]>([
  ['another value of an enum', 'Use kind: "spring" for the highest.', { kind }],
  ['another default as a time', 'Gets tides (defaults to last 5 minutes).', { from }],
  ['another default as a number', 'Gets tides. Default: 100', { limit }],
  ['another default of an enum', 'Sorted; defaults to depth.', { sort }],
  ['a wider range', 'Set limit (1-100) as you like.', { limit }],
])('finds %s', (_, text, properties) => {
  expect(contradicts(text, properties)).toBe(true);
});

it.each<[what: string, text: string, properties: JsonObject, required?: string[]]>([
  ['a whole example', '{ "pier": "A", "day": "Monday" }', { pier, day: {} }, ['pier', 'day']],
  ['a wrong example that is marked', 'INCORRECT: { "kind": "spring" }', { kind }],
  ['an object of something else', 'Returns { "tide": "high" }', { kind }, ['kind']],
  ['placeholders', '{ "kind": "<kind>" } or kind: "high|low"', { kind }],
  ['no object at all', 'Replaces {pier} by its name', { pier }, ['pier']],
  ['a value inside of another object', '{ "pier": "A", "note": { "kind": "x" } }', { pier, kind }],
  ['the same default in another unit', 'Gets tides, default is 2 hours.', { from }],
  ['a default where the schema has none', 'Gets tides of today. Default: 5', { pier }],
  ['the default of an enum', 'Sorted; defaults to date.', { sort }],
  ['a narrower range', 'Best with limit 5 to 10.', { limit }],
  ['a schema without parameters', '{ "pier": "A" }', {}],
])('has nothing against %s', (_, text, properties, required) => {
  expect(contradicts(text, properties, required)).toBe(false);
});
