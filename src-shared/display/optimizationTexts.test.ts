import { describe, expect, it } from 'vitest';
import { unprovableTexts } from './optimizationTexts.ts';

const bar = {
  unit: 'case' as const,
  proofCases: 40,
  proved: 0,
  flipsNeeded: 7,
  canFlip: 20,
  casesForTokens: 173,
};
const rules = { kind: 'rules' as const };

describe('what an optimization can not prove', () => {
  it('is empty where enough held-out cases fail', () => {
    expect(unprovableTexts({ objective: 'accuracy', proposer: rules }, bar)).toEqual([]);
  });

  it('names the cases that fewer tokens need', () => {
    expect(unprovableTexts({ objective: 'tokens', proposer: rules }, bar)).toEqual([
      'Proof 1 on this half needs at least 173 held-out cases to rule out a loss of 2 points, and there are 40, so fewer tokens can’t be proven. Add about 266 cases.',
      'The search would still run, and its proof could only end undecided.',
    ]);
    expect(
      unprovableTexts({ objective: 'tokens', proposer: rules }, { ...bar, proofCases: 173 }),
    ).toEqual([]);
  });

  it('names the failing cases that a better pass rate needs, also for edits that are given', () => {
    const given = { kind: 'given' as const, edits: [] };
    expect(
      unprovableTexts({ objective: 'accuracy', proposer: given }, { ...bar, canFlip: 3 }),
    ).toEqual([
      'Proof 1 on this half needs at least 7 fixed, and only 3 of 40 held-out cases fail now, so a better pass rate can’t be proven. Add about 8 cases that fail.',
    ]);
  });

  it('speaks of both objectives only if neither can be proven', () => {
    expect(unprovableTexts({ objective: 'both', proposer: rules }, bar)).toEqual([]);
    expect(
      unprovableTexts({ objective: 'both', proposer: rules }, { ...bar, canFlip: 0 }),
    ).toHaveLength(3);
  });
});
