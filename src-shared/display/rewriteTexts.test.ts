import { describe, expect, it } from 'vitest';
import type { ProofPlan } from '../domain/rewrite.ts';
import { proofUseText } from './rewriteTexts.ts';

describe('proofUseText', () => {
  const plan = { nextLevel: 0.001 } as ProofPlan;

  it.each([
    [0, 'Proof 1 on this half'],
    [20, 'Proof 21 on this half'],
    [1_110, 'Proof 1,111 on this half'],
  ])('counts the next proof after %d of them, without an ordinal', (proved, text) => {
    expect(proofUseText({ ...plan, proved })).toBe(`${text}; the next needs p ≤ 0.0010`);
  });
});
