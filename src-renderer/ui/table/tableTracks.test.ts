import { describe, expect, it } from 'vitest';
import { minWidth, track, wholeColumns, wholeRows } from './tableTracks.ts';

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

  it('ends a table with a whole row, and shows a few rows in a low window', () => {
    expect(wholeRows('calc(100vh - 260px)', 40)).toBe(
      'calc(round(down, max(180px, calc(100vh - 260px)) - 36px, 40px) + 36px)',
    );
  });
});
