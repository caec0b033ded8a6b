import { describe, expect, it } from 'vitest';
import { percentDone, remainingTime, remainingWords, announcedStep } from './progressWords.ts';

describe('progress', () => {
  it('gives no remaining time before there is a pace', () => {
    expect(remainingTime({ done: 0, total: 10 }, 5000)).toBeNull();
    expect(remainingTime({ done: 1, total: 10 }, 5000)).toBeNull();
    expect(remainingTime({ done: 2, total: 10 }, 0)).toBeNull();
    expect(remainingWords(null)).toBe('');
  });

  it('computes the remaining time from the pace so far', () => {
    expect(remainingTime({ done: 4, total: 10 }, 4000)).toBe(6000);
    expect(remainingTime({ done: 10, total: 10 }, 4000)).toBe(0);
  });

  it('reaches 100% only when the last run has ended', () => {
    expect(percentDone({ done: 999, total: 1000 })).toBe(99);
    expect(percentDone({ done: 1000, total: 1000 })).toBe(100);
    expect(percentDone({ done: 0, total: 0 })).toBeNull();
  });

  it('announces progress in steps of 20%', () => {
    const spoken = new Set(
      Array.from({ length: 1001 }, (_, done) => announcedStep({ done, total: 1000 })),
    );
    expect([...spoken]).toEqual([0, 20, 40, 60, 80, 100]);
  });

  it('rounds the remaining time', () => {
    expect(remainingWords(2000)).toBe('a few seconds left');
    expect(remainingWords(31_000)).toBe('about 35 s left');
    expect(remainingWords(58_000)).toBe('about 1 min left');
    expect(remainingWords(3 * 3600_000)).toBe('about 3 h left');
  });
});
