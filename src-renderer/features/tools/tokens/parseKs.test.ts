import { describe, expect, it } from 'vitest';
import { parseKs } from './parseKs.ts';

describe('parseKs', () => {
  it('removes duplicates and reads "all"', () => {
    expect(parseKs(['1', '2', '1', 'ALL'])).toEqual({ ks: [1, 2, null], fault: null });
  });
  it.each([['0'], ['-1'], ['1.5'], ['many'], ['10001']])('rejects %s', (word) => {
    expect(parseKs([word]).fault).toContain(word);
  });
  it('rejects an empty list', () => {
    expect(parseKs([]).fault).not.toBeNull();
  });
});
