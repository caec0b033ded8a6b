import { describe, expect, it } from 'vitest';
import { passRateFinding } from './passRateFinding.ts';

const rate = (name: string, value: number, low: number | null, high: number | null) => ({
  name,
  value,
  low,
  high,
});

describe('passRateFinding', () => {
  it('names the best model, and says when the intervals overlap', () => {
    const weak = rate('weak', 0.5, 0.4, 0.6);
    expect(passRateFinding([weak, rate('strong', 0.8, 0.7, 0.9)])).toBe(
      'strong passes most: 80% vs. 50%',
    );
    expect(passRateFinding([weak, rate('strong', 0.64, 0.55, 0.75)])).toBe(
      'strong passes most: 64% vs. 50%; the intervals overlap',
    );
    expect(passRateFinding([weak, rate('strong', 0.64, null, null)])).toBe(
      'strong passes most: 64% vs. 50%',
    );
    expect(passRateFinding([weak, { ...weak, name: 'same' }])).toBe(
      'weak and same pass equally often',
    );
  });
});
