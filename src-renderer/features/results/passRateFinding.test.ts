import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../src-shared/domain/comparison.ts';
import { passRateFinding } from './passRateFinding.ts';

const rate = (name: string, value: number, vsBest?: Answer) => ({ name, value, vsBest });

describe('passRateFinding', () => {
  it('names the best model, and says when the paired test can not tell the next one from it', () => {
    expect(passRateFinding([rate('weak', 0.5, 'worse'), rate('strong', 0.8)])).toBe(
      'strong passes most: 80% vs. 50%',
    );
    expect(passRateFinding([rate('weak', 0.5, 'cannot tell'), rate('strong', 0.64)])).toBe(
      'strong passes most: 64% vs. 50%, within noise',
    );
    expect(passRateFinding([rate('weak', 0.5), rate('strong', 0.64)])).toBe(
      'strong passes most: 64% vs. 50%',
    );
    expect(passRateFinding([rate('weak', 0.5), rate('same', 0.5)])).toBe(
      'weak and same pass equally often',
    );
  });
});
