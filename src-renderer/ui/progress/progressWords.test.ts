import { describe, expect, it } from 'vitest';
import { percentDone, remainingTime, remainingWords, spokenStep } from './progressWords.ts';

describe('progress', () => {
  it('an end promised from no pace at all would be invented', () => {
    expect(remainingTime({ done: 0, total: 10 }, 5000)).toBeNull();
    expect(remainingTime({ done: 1, total: 10 }, 5000)).toBeNull();
    expect(remainingTime({ done: 2, total: 10 }, 0)).toBeNull();
    expect(remainingWords(null)).toBe('');
  });

  it('a pace of 1 s a run leaves 6 s for 6 runs', () => {
    expect(remainingTime({ done: 4, total: 10 }, 4000)).toBe(6000);
    expect(remainingTime({ done: 10, total: 10 }, 4000)).toBe(0);
  });

  it('100 % before the last run has ended would tell people to stop waiting', () => {
    expect(percentDone({ done: 999, total: 1000 })).toBe(99);
    expect(percentDone({ done: 1000, total: 1000 })).toBe(100);
    expect(percentDone({ done: 0, total: 0 })).toBeNull();
  });

  it('a live region that spoke at each of 1000 runs could not be listened to', () => {
    const spoken = new Set(
      Array.from({ length: 1001 }, (_, done) => spokenStep({ done, total: 1000 })),
    );
    expect([...spoken]).toEqual([0, 20, 40, 60, 80, 100]);
  });

  it('a remaining time to the second would pretend to a precision that it has not', () => {
    expect(remainingWords(2000)).toBe('a few seconds left');
    expect(remainingWords(31_000)).toBe('about 35 s left');
    expect(remainingWords(58_000)).toBe('about 1 min left');
    expect(remainingWords(3 * 3600_000)).toBe('about 3 h left');
  });
});
