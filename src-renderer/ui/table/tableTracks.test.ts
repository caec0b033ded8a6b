import { describe, expect, it } from 'vitest';
import { fittingColumns, minWidth, track, wholeColumns, wholeRows } from './tableTracks.ts';

describe('column widths', () => {
  it('reads the minimum width of a column and turns it into a grid track', () => {
    expect([90, 'minmax(160px, 2fr)', undefined, '1fr'].map(minWidth)).toEqual([90, 160, 120, 120]);
    expect([90, 'minmax(160px, 2fr)', undefined].map(track)).toEqual([
      '90px',
      'minmax(160px, 2fr)',
      'minmax(120px, 1fr)',
    ]);
  });

  it('scrolls a table sideways only for more than the padding of a cell', () => {
    expect(wholeColumns(600)).toEqual({
      minWidth: 'clamp(0px, (592px - 100cqi) * 1000, 600px)',
    });
  });

  it('leaves out spare columns, the highest first, until the others fit', () => {
    const columns = [
      { id: 'name', width: 'minmax(200px, 1fr)' },
      { id: 'tags', width: 100, spare: 1 },
      { id: 'size', width: 90 },
      { id: 'changed', width: 110, spare: 2 },
    ];
    const shown = (room: number) => fittingColumns(columns, room).map(({ id }) => id);
    expect(shown(0)).toEqual(['name', 'tags', 'size', 'changed']);
    expect(shown(500)).toEqual(['name', 'tags', 'size', 'changed']);
    expect(shown(499)).toEqual(['name', 'tags', 'size']);
    expect(shown(389)).toEqual(['name', 'size']);
    expect(shown(100)).toEqual(['name', 'size']);
  });

  it('ends a table with a whole row, and shows a few rows in a low window', () => {
    expect(wholeRows('calc(100vh - 260px)', 40)).toBe(
      'calc(round(down, max(180px, calc(100vh - 260px)) - 36px, 40px) + 36px)',
    );
  });
});
