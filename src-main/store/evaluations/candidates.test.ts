import { expect, it } from 'vitest';
import { createTestDatabase } from '../../testing/testDatabase.ts';
import { openStore } from '../store.ts';

it('candidates of one millisecond are listed newest first, whatever their IDs are', () => {
  using database = createTestDatabase();
  const ids = ['b', 'c', 'a'];
  const rest = [...ids];
  const store = openStore(database.db, {
    clock: { now: () => '2026-01-01T00:00:00.000Z' },
    nextId: () => rest.shift() ?? '',
  });
  for (const _ of ids)
    store.candidates.insert({
      suite: 's',
      unit: 'case',
      baseEvaluationId: 'e',
      baseNumber: 1,
      modelSettingsId: 'm',
      modelName: 'm',
      toolId: 's:add',
      source: 'hand',
      edits: [],
    });
  expect(store.candidates.list(null).map(({ id }) => id)).toEqual(['a', 'c', 'b']);
});
