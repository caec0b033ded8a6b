import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import { nameSentence } from './nameSentence.ts';
import { parameterSentences, allSentences } from './parameterSentences.ts';

const text = (description: string, type = 'string'): JsonObject => ({ type, description });
const flag = (description = ''): JsonObject => text(description, 'boolean');

/** A parameter with values, without which no list of what a call needs is offered. */
const flavor = { enum: ['small', 'large'] };

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
    [
      'all that a call needs',
      { shelf: {}, baker: {} },
      'Takes the shelf, baker, and flavor (small or large).',
    ],
    ['none where it can not name one', { from_day: {}, shelf: {} }, ''],
    [
      'a switch by what it does',
      { shelf: {}, warm: flag('Whether to return loaves warm (default: no)') },
      'Takes the shelf, whether to return loaves warm, and flavor (small or large).',
    ],
    ['no switch that does not', { shelf: {}, warm: flag('Warm') }, ''],
    [
      'a number with its range',
      { weeks: { type: 'integer', minimum: 1, maximum: 12 } },
      'Takes the weeks (1–12) and flavor (small or large).',
    ],
    [
      'a number by what it measures',
      { oven_count: { type: 'integer' }, max_heat: { default: 200 } },
      'Takes the oven count, maximum heat, and flavor (small or large).',
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
      'Takes the tip amount in euros and flavor (small or large).',
    ],
    [
      'no notation',
      { date: text('Baking date in YYYY-MM-DD format'), day: text('YYYY-MM-DD delivery day') },
      'Takes the baking date, delivery day, and flavor (small or large).',
    ],
    [
      'phrases and limits as they are spoken',
      { checkIn: text('Check-in date'), time_min: {}, max_time: {} },
      'Takes the check-in date, minimum time, maximum time, and flavor (small or large).',
    ],
  ])('has %s', (_, properties, sentence) => {
    const all = { ...properties, flavor };
    expect(said('list_loaves', all, Object.keys(all))).toBe(sentence);
  });

  it('is none where nothing in it has values or a range: the schema names it already', () => {
    expect(said('list_loaves', { shelf: {}, baker: {} }, ['shelf', 'baker'])).toBe('');
    expect(
      said('list_loaves', { weeks: { type: 'integer', minimum: 1, maximum: 9 } }, ['weeks']),
    ).toBe('Takes the weeks (1–9).');
  });

  it('has nothing that is optional, which stands in the schema', () => {
    const takes = 'Takes the flavor (small or large).';
    expect(said('list_loaves', { flavor, baker: {} })).toBe('');
    expect(said('list_loaves', { flavor, baker: {} }, ['flavor'])).toBe(takes);
    expect(said('list_loaves', { flavor, page: {} }, ['flavor'])).toBe(takes);
  });

  it('has everything that a call needs, or nothing', () => {
    const needed = ['flavor', 'loaves', 'note'];
    const properties = { flavor, loaves: { type: 'array' }, note: {} };
    const takes = 'Takes the flavor (small or large), loaves, and note.';
    expect(said('remove_loaves', properties, needed)).toBe(takes);
    expect(said('remove_loaves', { ...properties, to_day: {} }, [...needed, 'to_day'])).toBe('');
    expect(said('remove_loaves', { ...properties, to_day: {} }, needed)).toBe(takes);
    expect(said('remove_loaves', { ...properties, page: {} }, needed)).toBe(takes);
  });

  it('is no list of what a call needs where that hides what else it takes', () => {
    const unnamed = { crumb: { type: 'integer' }, slice: { type: ['integer', 'null'] } };
    expect(said('split_loaf', { flavor, ...unnamed }, ['flavor'])).toBe('');
    const branch = { enum: ['main', 'next'] };
    const place = { source: branch, file_path: {}, crumb: { type: 'integer' } };
    expect(said('find_crumbs', place, ['source', 'file_path'])).toBe('');
    expect(said('create_loaf', { flavor, ...unnamed }, ['flavor'])).toBe(
      'Takes the flavor (small or large).',
    );
    expect(said('find_crumbs', { ...place, taste: {} }, ['source', 'file_path', 'taste'])).toBe(
      'Takes the source (main or next), file path, and taste.',
    );
  });

  it('has what a name with “by” only hints at', () => {
    const properties = { store_id: {}, flavor };
    expect(said('get_sales_by_store', properties, ['store_id', 'flavor'])).toBe(
      'Takes the store ID and flavor (small or large).',
    );
  });

  it('has the parameters of the object that holds them', () => {
    const inner = { type: 'object', properties: { flavor, weight: {} }, required: ['flavor'] };
    const takes = 'Takes the flavor (small or large).';
    expect(said('create_loaf', { loaf: inner }, ['loaf'])).toBe(takes);
    expect(said('create_loaf', { params: inner }, ['params'])).toBe(takes);
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
