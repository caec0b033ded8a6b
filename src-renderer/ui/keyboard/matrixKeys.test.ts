import { describe, expect, it } from 'vitest';
import { MATRIX_PAGE, moveInMatrix } from './gridKeys.ts';

const size = { rows: 20, columns: 7 };

describe('moveInMatrix', () => {
  it('stays at the edge of the grid', () => {
    expect(moveInMatrix('ArrowUp', false, { row: 0, column: 3 }, size)).toEqual({
      row: 0,
      column: 3,
    });
    expect(moveInMatrix('ArrowLeft', false, { row: 4, column: 0 }, size)).toEqual({
      row: 4,
      column: 0,
    });
    expect(moveInMatrix('ArrowDown', false, { row: 19, column: 3 }, size)).toEqual({
      row: 19,
      column: 3,
    });
    expect(moveInMatrix('ArrowRight', false, { row: 4, column: 6 }, size)).toEqual({
      row: 4,
      column: 6,
    });
  });

  it('moves by one row or column per arrow key', () => {
    const at = { row: 5, column: 2 };
    expect(moveInMatrix('ArrowUp', false, at, size)).toEqual({ row: 4, column: 2 });
    expect(moveInMatrix('ArrowDown', false, at, size)).toEqual({ row: 6, column: 2 });
    expect(moveInMatrix('ArrowLeft', false, at, size)).toEqual({ row: 5, column: 1 });
    expect(moveInMatrix('ArrowRight', false, at, size)).toEqual({ row: 5, column: 3 });
  });

  it('moves to the ends of the row by Home and End, with Ctrl to the corners', () => {
    const at = { row: 5, column: 2 };
    expect(moveInMatrix('Home', false, at, size)).toEqual({ row: 5, column: 0 });
    expect(moveInMatrix('End', false, at, size)).toEqual({ row: 5, column: 6 });
    expect(moveInMatrix('Home', true, at, size)).toEqual({ row: 0, column: 0 });
    expect(moveInMatrix('End', true, at, size)).toEqual({ row: 19, column: 6 });
  });

  it('stops PageUp and PageDown at the first and last row', () => {
    expect(moveInMatrix('PageDown', false, { row: 1, column: 2 }, size)).toEqual({
      row: 1 + MATRIX_PAGE,
      column: 2,
    });
    expect(moveInMatrix('PageDown', false, { row: 18, column: 2 }, size)).toEqual({
      row: 19,
      column: 2,
    });
    expect(moveInMatrix('PageUp', false, { row: 2, column: 2 }, size)).toEqual({
      row: 0,
      column: 2,
    });
  });

  it('returns null for other keys and browser shortcuts', () => {
    expect(moveInMatrix('Tab', false, { row: 0, column: 0 }, size)).toBeNull();
    expect(moveInMatrix('a', false, { row: 0, column: 0 }, size)).toBeNull();
    expect(moveInMatrix('ArrowDown', true, { row: 0, column: 0 }, size)).toBeNull();
  });

  it('moves a place of a larger matrix inside', () => {
    expect(
      moveInMatrix('ArrowRight', false, { row: 50, column: 50 }, { rows: 2, columns: 3 }),
    ).toEqual({ row: 1, column: 2 });
    expect(
      moveInMatrix('ArrowDown', false, { row: 0, column: 0 }, { rows: 0, columns: 0 }),
    ).toEqual({ row: 0, column: 0 });
  });
});
