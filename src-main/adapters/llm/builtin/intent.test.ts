import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stem } from '../../../analysis/tokenizer.ts';
import { namedOperations, operationMatch, readIntent } from './intent.ts';
import { readQuery } from './queryReading.ts';

const intentOf = (query: string) => readIntent(readQuery(query));
const words = (text: string): string => text.replace(/\s+/g, ' ').trim();

describe('readIntent', () => {
  it.each([
    ['Add a task to delete the old backups', 'Add a task'],
    ['Create a new reminder to call mom', 'Create a new reminder'],
    ['Remind me to renew the parking permit', 'Remind me'],
    ['Add a card called Order chairs', 'Add a card called'],
    ['Send a note saying we are late', 'Send a note saying'],
    ["Don't erase message 340, simply remove it", "Don't message , simply remove it"],
    ['Archive it instead of deleting it', 'Archive it instead of it'],
    ['Find "purchase order" in my mail', 'Find in my mail'],
  ])('leaves out values, texts of things and what should not happen: %s', (query, expected) => {
    expect(words(intentOf(query).text)).toBe(expected);
  });

  it.each([
    ['Move the file to the archive'],
    ['Give me access to my calendar'],
    ['Add a note to task 3'],
    ['Send it to Anna'],
  ])('keeps a destination: %s', (query) => {
    expect(intentOf(query).text.replace(/\d/g, ' ').trim()).toBe(query.replace(/\d/g, ' ').trim());
  });

  it.each([
    ['Can you please delete the draft?', 'delete'],
    ['Put oat milk on my list', 'put'],
    ['Get rid of that file', 'rid'],
    ['I want the report removed', 'removed'],
    ['Do not send it, only save it', 'save'],
  ])('finds the operation: %s', (query, verb) => {
    expect(intentOf(query).verb).toBe(stem(verb));
  });

  it('finds no operation where no word says one', () => {
    expect(intentOf('What about the weather in Lisbon?').verb).toBeNull();
  });

  it('keeps the whole query if nothing else is left', () => {
    expect(intentOf('"hello"').text).toBe('"hello"');
  });

  it('reads any text, of the same length as the query', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (query) => {
        expect(intentOf(query).text).toHaveLength(query.length);
      }),
    );
  });

  it('reads hostile repetitions in linear time', () => {
    for (const part of ['a new ', 'don’t ', 'remind me to ', 'called ', 'an x-'])
      expect(intentOf(part.repeat(2_000)).text.length).toBeGreaterThan(0);
  });
});

describe('operationMatch', () => {
  it.each([
    ['delete', 'delete_task', 1],
    ['remove', 'delete_task', 0.7],
    ['remove', 'list_tasks', 0],
    ['add', 'createEvent', 0.7],
  ])('compares %s with %s', (verb, name, expected) => {
    expect(operationMatch(stem(verb), namedOperations(name))).toBe(expected);
  });
});
