import { describe, expect, test } from 'vitest';
import { json, lines, read } from './shapes.fixture.ts';

describe('a request with variables', () => {
  test('is a case for each set of them, whose arguments are filled in too', () => {
    const record = {
      prompt: 'Is {{ title }} there?',
      variables: [{ title: 'Dune' }, { title: 'Emma' }],
      expected_calls: [{ name: 'find_book', args: { title: '{{title}}' } }],
    };
    expect(read('a.json', json([record])).lines).toStrictEqual([
      'Is Dune there? → shelf:find_book{"title":"Dune"}; exact',
      'Is Emma there? → shelf:find_book{"title":"Emma"}; exact',
    ]);
  });

  test('is a case for each value of the only one', () => {
    const record = { q: 'Is {title} there?', vars: { title: ['Dune', 'Emma'] }, tool: 'find_book' };
    expect(read('a.jsonl', lines(record, record)).lines.slice(0, 2)).toStrictEqual([
      'Is Dune there? → shelf:find_book',
      'Is Emma there? → shelf:find_book',
    ]);
  });

  test('stays as it is where none of them fills a place', () => {
    const record = { prompt: 'Is {{title}} there?', vars: { year: 1 }, expected_tool: 'find_book' };
    expect(read('a.json', json([record])).lines).toStrictEqual([
      'Is {{title}} there? → shelf:find_book',
    ]);
  });
});
