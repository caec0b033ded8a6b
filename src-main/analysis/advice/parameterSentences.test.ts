import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import { nameSentence } from './nameSentence.ts';
import { parameterSentences, allSentences } from './parameterSentences.ts';

const text = (description: string, type = 'string'): JsonObject => ({ type, description });
const flag = (description = ''): JsonObject => text(description, 'boolean');

/** What is said of the parameters of a tool that needs the given ones. */
function said(name: string, properties: JsonObject, required: string[] = []): string | null {
  const inputSchema = { type: 'object', properties, required };
  const tool = { server: 'bakery', name, title: null, description: '', inputSchema };
  const other = { ...tool, name: 'open_shop', description: 'Open the shop.' };
  const opened = nameSentence(tool, [other]);
  const taken = opened && parameterSentences(tool, opened, '');
  return taken && allSentences(taken).join(' ');
}

describe('a list of parameters', () => {
  it.each<[what: string, JsonObject, string]>([
    ['all that a call needs', { shelf: {}, baker: {} }, 'Takes the shelf and baker.'],
    ['none where it can not name one', { from_day: {}, shelf: {} }, ''],
    [
      'a switch by what it does',
      { shelf: {}, warm: flag('Whether to return loaves warm (default: no)') },
      'Takes the shelf and whether to return loaves warm.',
    ],
    ['no switch that does not', { shelf: {}, warm: flag('Warm') }, ''],
    [
      'a number with its range',
      { weeks: { type: 'integer', minimum: 1, maximum: 12 } },
      'Takes the weeks (1–12).',
    ],
    [
      'a number by what it measures',
      { oven_count: { type: 'integer' }, max_heat: { default: 200 } },
      'Takes the oven count and maximum heat.',
    ],
    [
      'no number that reads as an order',
      { rolls_last: { type: 'number', minimum: 0, maximum: 9 } },
      '',
    ],
    ['no number that reads as things', { old_loaves: { type: ['integer', 'null'] } }, ''],
    ['no number that only its default tells', { old_loaves: { default: 5 } }, ''],
    [
      'no switch that may be null',
      { rye: { anyOf: [{ type: 'boolean' }, { type: 'null' }], description: 'Rye' } },
      '',
    ],
    ['no number that leaves open of what', { weeks: { type: 'integer' } }, ''],
    [
      'units and what is measured',
      { tip: text('Tip amount in euros', 'number') },
      'Takes the tip amount in euros.',
    ],
    [
      'no notation',
      { date: text('Baking date in YYYY-MM-DD format'), day: text('YYYY-MM-DD delivery day') },
      'Takes the baking date and delivery day.',
    ],
  ])('has %s', (_, properties, sentence) => {
    expect(said('list_loaves', properties, Object.keys(properties))).toBe(sentence);
  });

  it('has nothing that is optional, which stands in the schema', () => {
    expect(said('list_loaves', { shelf: {}, baker: {} })).toBe('');
    expect(said('list_loaves', { shelf: {}, baker: {} }, ['shelf'])).toBe('Takes the shelf.');
    expect(said('list_loaves', { shelf: {}, page: {} }, ['shelf'])).toBe('Takes the shelf.');
  });

  it('has everything that a call needs, or nothing', () => {
    const needed = ['shop', 'loaves', 'note'];
    const properties = { shop: {}, loaves: { type: 'array' }, note: {} };
    expect(said('remove_loaves', properties, needed)).toBe('Takes the shop, loaves, and note.');
    expect(said('remove_loaves', { ...properties, to_day: {} }, [...needed, 'to_day'])).toBe('');
    expect(said('remove_loaves', { ...properties, to_day: {} }, needed)).toBe(
      'Takes the shop, loaves, and note.',
    );
    expect(said('remove_loaves', { ...properties, page: {} }, needed)).toBe(
      'Takes the shop, loaves, and note.',
    );
  });

  it('is no list of what a call needs where that hides what else it takes', () => {
    const unnamed = { crumb: { type: 'integer' }, slice: { type: ['integer', 'null'] } };
    expect(said('split_loaf', { knife: {}, ...unnamed }, ['knife'])).toBe('');
    const place = { repo: {}, file_path: {}, crumb: { type: 'integer' } };
    expect(said('find_crumbs', place, ['repo', 'file_path'])).toBe('');
    expect(said('create_loaf', { knife: {}, ...unnamed }, ['knife'])).toBe('Takes the knife.');
    expect(said('find_crumbs', { ...place, taste: {} }, ['repo', 'file_path', 'taste'])).toBe(
      'Takes the repository, file path, and taste.',
    );
  });

  it('has what a name with “by” only hints at', () => {
    const properties = { store_id: {}, day: {} };
    expect(said('get_sales_by_store', properties, ['store_id', 'day'])).toBe(
      'Takes the store ID and day.',
    );
  });

  it('has the parameters of the object that holds them', () => {
    const inner = { type: 'object', properties: { title: {}, weight: {} }, required: ['title'] };
    expect(said('create_loaf', { loaf: inner }, ['loaf'])).toBe('Takes the title.');
    expect(said('create_loaf', { params: inner }, ['params'])).toBe('Takes the title.');
  });
});

describe('a parameter that decides what is destroyed or replaced', () => {
  const permanent = flag('Whether to permanently delete instead of moving to the bin');

  it('is in a list of all that is optional, by what it does', () => {
    expect(said('delete_loaf', { reason: {}, permanent })).toBe(
      'Optional: reason and whether to permanently delete instead of moving to the bin.',
    );
  });

  it.each(['permanent', 'force', 'recursive', 'dry_run', 'overwrite', 'delete_all'])(
    'leaves nothing to say where no sentence can name it: %s',
    (name) => {
      expect(said('delete_loaf', { reason: {}, [name]: flag() })).toBeNull();
    },
  );

  it('leaves nothing to say where the list that it belongs to can not be whole', () => {
    expect(said('delete_loaf', { until_day: {}, permanent })).toBeNull();
  });
});
