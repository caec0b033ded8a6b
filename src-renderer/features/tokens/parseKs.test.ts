import { describe, expect, it } from 'vitest';
import { parseKs } from './parseKs.ts';

describe('parseKs', () => {
  it('would catch a k that is measured twice, or "all" taken for a number', () => {
    expect(parseKs(['1', '2', '1', 'ALL'])).toEqual({ ks: [1, 2, null], fault: null });
  });
  it.each([['0'], ['-1'], ['1.5'], ['many'], ['10001']])(
    'would catch %s taken for a number of tools',
    (word) => {
      expect(parseKs([word]).fault).toContain(word);
    },
  );
  it('would catch nothing at all that is started', () => {
    expect(parseKs([]).fault).not.toBeNull();
  });
});
