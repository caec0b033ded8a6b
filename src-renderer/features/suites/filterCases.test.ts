import { describe, expect, it } from 'vitest';
import type { TestCase } from '../../../src-shared/domain/testCase.ts';
import { filterCases, tagsOf } from './filterCases.ts';

const make = (key: string, part: Partial<TestCase>): TestCase => ({
  id: key,
  suiteId: 's',
  key,
  position: 0,
  origin: null,
  createdAt: '',
  updatedAt: '',
  name: key,
  query: '',
  tags: [],
  servers: [],
  expectedCalls: [],
  orderDependent: false,
  allowedCalls: [],
  stubResults: [],
  ...part,
});
const cases = [
  make('one', {
    query: 'Buy Milk',
    tags: ['easy', 'add'],
    expectedCalls: [{ server: 'todo', tool: 'add_task' }],
  }),
  make('two', { query: 'buy nothing', tags: ['easy'] }),
];
const keys = (filter: Parameters<typeof filterCases>[1]): string[] =>
  filterCases(cases, filter).map((found) => found.key);

describe('filterCases', () => {
  it('finds all words in any case', () => {
    expect(keys({ search: 'MILK buy', tags: [] })).toEqual(['one']);
    expect(keys({ search: ' ', tags: [] })).toEqual(['one', 'two']);
    expect(keys({ search: 'todo:add', tags: [] })).toEqual(['one']);
  });

  it('narrows with every tag', () => {
    expect(keys({ search: '', tags: ['easy'] })).toEqual(['one', 'two']);
    expect(keys({ search: '', tags: ['easy', 'add'] })).toEqual(['one']);
    expect(tagsOf(cases)).toEqual(['add', 'easy']);
  });
});
