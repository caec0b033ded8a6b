import { describe, expect, it } from 'vitest';
import { minWidth, track } from './tableTracks.ts';

describe('column widths', () => {
  it('reads the minimum width of a column and turns it into a grid track', () => {
    expect([90, 'minmax(160px, 2fr)', undefined, '1fr'].map(minWidth)).toEqual([90, 160, 120, 120]);
    expect([90, 'minmax(160px, 2fr)', undefined].map(track)).toEqual([
      '90px',
      'minmax(160px, 2fr)',
      'minmax(120px, 1fr)',
    ]);
  });
});
