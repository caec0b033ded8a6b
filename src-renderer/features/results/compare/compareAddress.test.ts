import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { caseLists, readCompare, writeCompare, type CompareAddress } from './compareAddress.ts';

const id = fc.stringMatching(/^[0-9a-f-]{1,36}$/);
const side = fc.record({ id, modelSettingsId: fc.option(id) });

describe('address of a comparison', () => {
  it('keeps every choice across a reload', () => {
    const address: fc.Arbitrary<CompareAddress> = fc.record({
      base: fc.option(side),
      candidates: fc.array(side, { minLength: 1, maxLength: 4 }),
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
        expect(readCompare(new URLSearchParams(writeCompare(one).toString()))).toEqual(one);
      }),
    );
  });

  it('falls back to defaults for a mistyped link', () => {
    expect(
      readCompare(new URLSearchParams('base=&with=a&with=&shown=7&list=else&right=maybe')),
    ).toEqual({
      base: null,
      candidates: [{ id: 'a', modelSettingsId: null }],
      passedWhen: null,
      shown: 0,
      list: null,
      open: null,
      search: '',
    });
  });
});
