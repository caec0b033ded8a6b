import { describe, expect, it } from 'vitest';
import { detectorFinding } from './detectorFinding.ts';

describe('detectorFinding', () => {
  it('says what is found and what is flagged by mistake', () => {
    expect(detectorFinding({ tp: 45, fn: 15, fp: 2, tn: 1198 })).toBe(
      'The detectors find 45 of 60 attacks and flag 2 of 1,200 harmless entries by mistake.',
    );
  });

  it('leaves out a side that the corpus has no entries for', () => {
    expect(detectorFinding({ tp: 1, fn: 0, fp: 0, tn: 0 })).toBe(
      'The detectors find 1 of 1 attack.',
    );
    expect(detectorFinding({ tp: 0, fn: 0, fp: 1, tn: 3 })).toBe(
      'The detectors flag 1 of 4 harmless entries.',
    );
  });
});
