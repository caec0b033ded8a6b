import { describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../testing/testDatabase.ts';
import { defineTable } from './table.ts';

const table = defineTable('temp.things', {
  id: 'text',
  weight: 'real?',
  isLarge: 'flag?',
  tags: 'json',
  origin: 'json?',
  owner: { column: 'owner_id', kind: 'integer' },
});

describe('a table description', () => {
  it('gives the lists of SQL', () => {
    const small = defineTable('pairs', { leftSide: 'text', n: 'integer' });
    expect(small.columns).toBe('left_side AS leftSide, n');
    expect(small.columnsOf('p')).toBe('p.left_side AS leftSide, p.n');
    expect(small.insert('n')).toMatch(/^INSERT INTO pairs \(n\)\s+VALUES \(:n\)$/);
    expect(small.assignmentsExcept('n')).toBe('left_side = :leftSide');
  });

  it('reads back what it wrote, through SQLite', () => {
    using database = createTestDatabase();
    const { db } = database;
    db.exec(
      'CREATE TEMP TABLE things (id TEXT, weight REAL, is_large INTEGER, tags TEXT, origin TEXT, owner_id INTEGER)',
    );
    const insert = db.prepare(table.insert());
    const select = db.prepare<[string], ReturnType<typeof table.toRow>>(
      `SELECT ${table.columns} FROM temp.things WHERE id = ?`,
    );
    const none = { id: 'a', weight: null, isLarge: null, tags: [], origin: null, owner: 0 };
    const some = { id: 'b', weight: 1.5, isLarge: false, tags: ['x'], origin: { by: 1 }, owner: 2 };
    for (const value of [none, some]) {
      insert.run(table.toRow(value));
      expect(table.fromRow(select.get(value.id)!)).toEqual(value);
    }
  });

  it('fails on text that is not JSON', () => {
    const row = { id: 'a', weight: null, isLarge: null, tags: '[', origin: null, owner: 0 };
    expect(() => table.fromRow(row)).toThrow(SyntaxError);
  });
});
