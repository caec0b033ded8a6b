import { describe, expect, it } from 'vitest';
import { fitFirst, fitText, groupHead, insideGroup } from './treemapBoxes.ts';

describe('insideGroup', () => {
  it('scales items below the heading and keeps their proportions', () => {
    const group = { x: 100, y: 50, width: 206, height: 123 };
    // 206 − 2 × 3 = 200 wide, 123 − 20 − 3 = 100 high.
    expect(insideGroup(group, group, 20)).toEqual({ x: 103, y: 70, width: 200, height: 100 });
    const half = insideGroup({ x: 203, y: 50, width: 103, height: 123 }, group, 20);
    expect(half).toEqual({ x: 203, y: 70, width: 100, height: 100 });
  });

  it('never gives a negative size', () => {
    const group = { x: 0, y: 0, width: 4, height: 4 };
    expect(insideGroup(group, group, 0)).toEqual({ x: 3, y: 3, width: 0, height: 0 });
  });
});

describe('groupHead', () => {
  it('leaves out the heading of small groups', () => {
    expect(groupHead({ width: 44, height: 48 })).toBe(20);
    expect(groupHead({ width: 43, height: 48 })).toBe(0);
    expect(groupHead({ width: 44, height: 47 })).toBe(0);
  });
});

describe('fitText', () => {
  it('cuts a text that is too long, and drops it where nothing fits', () => {
    expect(fitText('add_task', 80, 10)).toBe('add_task');
    expect(fitText('add_task', 79, 10)).toBe('add_ta…');
    expect(fitText('add_task', 29, 10)).toBe('');
  });
});

describe('fitFirst', () => {
  it('takes the longest text that fits, and cuts the shortest if none does', () => {
    const texts = ['notion · 7,700 tokens', 'notion · 7,700', 'notion'];
    expect(fitFirst(texts, 210, 10)).toBe('notion · 7,700 tokens');
    expect(fitFirst(texts, 209, 10)).toBe('notion · 7,700');
    expect(fitFirst(texts, 60, 10)).toBe('notion');
    expect(fitFirst(texts, 50, 10)).toBe('noti…');
  });
});
