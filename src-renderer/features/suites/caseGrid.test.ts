import { expect, it } from 'vitest';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import type { TestCase } from '../../../src-shared/domain/testCase.ts';
import { casesOf, gridColumns, pasteLines, prefillOf, readCell, readGrid } from './caseGrid.ts';

const schema = {
  type: 'object',
  properties: {
    draft: { type: 'boolean' },
    owner: { type: 'string' },
    number: { type: 'integer' },
    method: { enum: ['merge', 'squash'] },
    labels: { type: 'array', items: { type: 'string' } },
    options: { type: 'object' },
    kind: { const: 'pr' },
  },
  required: ['owner', 'number'],
};
const columns = gridColumns(schema);
const made = (parameters: JsonObject): TestCase => ({
  id: 'c',
  suiteId: 's',
  key: 'c',
  position: 0,
  origin: null,
  createdAt: '',
  updatedAt: '',
  name: 'c',
  query: 'q',
  tags: [],
  servers: [],
  expectedCalls: [
    {
      anyOf: [
        { server: 'git', tool: 'merge' },
        { server: 'git', tool: 'land' },
      ],
      parameters,
    },
  ],
  orderDependent: false,
  allowedCalls: [],
  stubResults: [],
});

it('puts required arguments first, and leaves more than six to the case', () => {
  expect(columns.map(({ name }) => name)).toEqual([
    'owner',
    'number',
    'draft',
    'method',
    'labels',
    'options',
  ]);
  expect(gridColumns(null)).toEqual([]);
});

it('starts with what most cases of the suite expect', () => {
  const cases = [
    made({ owner: 'acme', number: 1 }),
    made({ owner: 'acme', number: 2 }),
    made({ owner: 'other', number: { $gte: 2 } }),
  ];
  expect(prefillOf(columns, cases)).toEqual({ owner: 'acme' });
  expect(prefillOf(columns, cases.slice(0, 1))).toEqual({});
  expect([casesOf(cases, 'git:land'), casesOf(cases, 'git:close')]).toEqual([3, 0]);
});

const column = (name: string) => {
  const found = columns.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no column ${name}.`);
  return found;
};

it.each([
  ['owner', '', undefined],
  ['owner', ' acme', ' acme'],
  ['owner', '{"$contains": "ac"}', { $contains: 'ac' }],
  ['number', '31', 31],
  ['number', '{"$gte": 3}', { $gte: 3 }],
  ['draft', 'true', true],
  ['method', 'squash', 'squash'],
  ['labels', 'a, b', ['a', 'b']],
  ['labels', '["a"]', ['a']],
  ['options', '{"x":1}', { x: 1 }],
])('reads the cell %s with %j', (name, typed, value) => {
  expect(readCell(column(name), typed)).toEqual({ value });
});

it.each([
  ['number', '3.5'],
  ['number', 'many'],
  ['draft', 'yes'],
  ['method', 'rebase'],
  ['options', '{x'],
  ['owner', '{"$nonsense": 1}'],
])('refuses the cell %s with %j', (name, typed) => {
  expect(readCell(column(name), typed)).toHaveProperty('problem');
});

it('makes a case of each row with a request', () => {
  const { cases, problems } = readGrid(
    [
      { request: ' Land PR 31 ', values: { owner: 'acme', number: '31' } },
      { request: '', values: { owner: 'acme' } },
      { request: 'Land it', values: { number: 'x' } },
    ],
    columns,
    'git:merge',
  );
  expect(problems).toEqual({ '2:2': 'Enter an integer.' });
  expect(cases[0]).toMatchObject({
    name: 'Land PR 31',
    query: 'Land PR 31',
    expectedCalls: [{ server: 'git', tool: 'merge', parameters: { owner: 'acme', number: 31 } }],
  });
});

it('fills rows from pasted lines and from cells of a spreadsheet', () => {
  const empty = { request: '', values: { owner: 'acme' } };
  const paste = (at: [number, number], text: string) =>
    pasteLines([empty], columns, at, text, empty);
  expect(paste([0, 0], 'one line')).toBeNull();
  expect(paste([0, 0], 'one\r\ntwo\n')).toEqual([
    { request: 'one', values: { owner: 'acme' } },
    { request: 'two', values: { owner: 'acme' } },
  ]);
  expect(paste([0, 0], 'one\tother\t3\tfalse\tmerge\ta\t{}\tbeyond')).toEqual([
    {
      request: 'one',
      values: {
        ...{ owner: 'other', number: '3', draft: 'false', method: 'merge' },
        ...{ labels: 'a', options: '{}' },
      },
    },
  ]);
  expect(paste([0, 2], '3\n4')).toEqual([
    { request: '', values: { owner: 'acme', number: '3' } },
    { request: '', values: { owner: 'acme', number: '4' } },
  ]);
});
