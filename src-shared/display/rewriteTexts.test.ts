import { describe, expect, it } from 'vitest';
import type { ProofPlan, ProofResult, Rewrite } from '../domain/rewrite.ts';
import { proofSentence, proofUseText } from './rewriteTexts.ts';

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

describe('proofSentence', () => {
  const search = { won: 9, lost: 0, cases: 88, notScored: 0, passedBefore: 70 };
  const proof = { ...search, won: 5 } as ProofResult;

  it.each([
    ['draft', null, null, 'Not estimated and not verified.'],
    [
      'searched',
      search,
      null,
      'Not verified: this is an estimate on cases that the edit was written for.',
    ],
    ['proving', search, null, 'Not verified yet: the proof hasn’t finished.'],
    ['proving', null, null, 'Not verified yet: the proof hasn’t finished.'],
    ['accepted', search, proof, 'Verified: the edit fixed 5 held-out cases and broke none.'],
    ['rejected', search, proof, 'Not better: the edit fixed 5 held-out cases and broke none.'],
    [
      'cannot_tell',
      search,
      proof,
      'Not decided: the edit fixed 5 held-out cases and broke none, which could be chance.',
    ],
  ] as const)('says of a candidate that is %s what is known', (state, estimate, result, text) => {
    const one = { unit: 'case', state, search: estimate, proof: result } as Rewrite;
    expect(proofSentence(one)).toBe(text);
  });
});
