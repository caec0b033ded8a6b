import { describe, expect, it } from 'vitest';
import type { ProofPlan, ProofResult, Candidate } from '../domain/candidate.ts';
import { proofSentence, proofUseText, weakEstimateText } from './candidateTexts.ts';

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
    ['draft', null, null, 'Not estimated and not proven.'],
    [
      'searched',
      search,
      null,
      'Not proven: this is an estimate on cases that the candidate was written for.',
    ],
    ['proving', search, null, 'Not proven yet: the proof hasn’t finished.'],
    ['proving', null, null, 'Not proven yet: the proof hasn’t finished.'],
    ['accepted', search, proof, 'Proven: the candidate fixed 5 held-out cases and broke none.'],
    ['rejected', search, proof, 'Rejected: the candidate fixed 5 held-out cases and broke none.'],
    [
      'cannot_tell',
      search,
      proof,
      'Undecided: the candidate fixed 5 held-out cases and broke none, which could be chance.',
    ],
  ] as const)('says of a candidate that is %s what is known', (state, estimate, result, text) => {
    const one = { unit: 'case', state, search: estimate, proof: result } as Candidate;
    expect(proofSentence(one)).toBe(text);
  });
});

describe('weakEstimateText', () => {
  const plan = { proofCases: 92, canFlip: 10, level: 0.03, moreCases: 0 } as ProofPlan;
  const estimated = (won: number, lost = 0) =>
    ({ unit: 'case', proof: null, search: { won, lost, cases: 88 } }) as Candidate;

  it('warns when an edit would flip too few held-out cases at the rate of its estimate', () => {
    expect(weakEstimateText(plan, estimated(1))).toBe(
      'At the rate of the estimate, this candidate fixes about 1 held-out case. That is not enough to ' +
        'prove it: change the definition further and estimate again.',
    );
    expect(weakEstimateText(plan, estimated(0))).toMatch(
      /this candidate fixes no held-out case\./u,
    );
    expect(weakEstimateText(plan, estimated(8, 3))).toMatch(/8 held-out cases and breaks about 3/u);
  });

  it('stays silent when the proof can pass, when cases are missing, and after the proof', () => {
    expect(weakEstimateText(plan, estimated(9))).toBeNull();
    expect(weakEstimateText({ ...plan, moreCases: 4 }, estimated(1))).toBeNull();
    expect(weakEstimateText(plan, { ...estimated(1), search: null })).toBeNull();
    expect(weakEstimateText(plan, { ...estimated(1), proof: {} as Candidate['proof'] })).toBeNull();
  });
});
