import { describe, expect, it } from 'vitest';
import { bands, brokenLine, scale } from './chartScale.ts';

describe('charts', () => {
  it('breaks a line at undefined values', () => {
    expect(brokenLine([{ x: 0, y: 1 }, { x: 1, y: 2 }, null, { x: 3, y: 4 }])).toBe(
      'M0.0,1.0L1.0,2.0M3.0,4.0',
    );
    expect(brokenLine([null])).toBe('');
  });

  it('closes a band, and leaves a gap at undefined values', () => {
    const at = (x: number) => ({ x, low: 0, high: 10 });
    expect(bands([at(0), at(1), null, at(3)])).toBe('M0.0,10.0L1.0,10.0L1.0,0.0L0.0,0.0Z');
  });

  it('maps values to pixels, and a single value to the middle', () => {
    expect(scale([0, 10], [0, 100])(5)).toBe(50);
    expect(scale([3, 3], [0, 100])(3)).toBe(50);
  });
});
