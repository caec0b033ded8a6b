import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  caseLists,
  comparisonLink,
  readCompare,
  writeCompare,
  type CompareAddress,
} from './compareAddress.ts';

const id = fc.stringMatching(/^[0-9a-f-]{1,36}$/);
const side = fc.record({ id, modelSettingsId: fc.option(id) });

describe('address of a comparison', () => {
  it('keeps every choice across a reload', () => {
    const address: fc.Arbitrary<CompareAddress> = fc.record({
      base: fc.option(side),
      own: fc.option(id),
      others: fc.array(side, { maxLength: 4 }),
      passedWhen: fc.option(
        fc.constantFrom('selection' as const, 'selection_and_parameters' as const),
      ),
      shown: fc.constant(0),
      list: fc.option(fc.constantFrom(...caseLists)),
      open: fc.option(fc.string({ minLength: 1 })),
      search: fc.string({ maxLength: 50 }),
    });
    fc.assert(
      fc.property(address, (one) => {
        const params = new URLSearchParams();
        writeCompare(params, one);
        expect(readCompare(new URLSearchParams(params.toString()))).toEqual(one);
      }),
    );
  });

  it('falls back to defaults for a mistyped link', () => {
    expect(
      readCompare(new URLSearchParams('compare=&with=a&with=&shown=7&list=else&right=maybe')),
    ).toEqual({
      base: null,
      own: null,
      others: [{ id: 'a', modelSettingsId: null }],
      passedWhen: null,
      shown: 0,
      list: null,
      open: null,
      search: '',
    });
  });

  it('is closed where the address names none', () => {
    expect(readCompare(new URLSearchParams('tab=runs&with=a'))).toBeNull();
  });

  it('opens a result beside another one', () => {
    expect(comparisonLink('2', { id: '1', modelSettingsId: 'm' })).toBe('/results/2?compare=1%2Fm');
    expect(comparisonLink('2', null)).toBe('/results/2?compare=');
  });
});
