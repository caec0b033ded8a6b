import { describe, expect, it } from 'vitest';
import { previousResults, type ResultOfSuite } from './previousResult.ts';

const result = (part: Partial<ResultOfSuite> = {}): ResultOfSuite => ({
  number: 1,
  suite: { id: 'suite', name: 'Suite' },
  hasEnded: true,
  isDerived: false,
  mode: null,
  models: [{ id: 'a', label: 'A' }],
  ...part,
});
const shown = result({ number: 9 });
const previous = (listed: readonly ResultOfSuite[], of = shown, model = 'a') =>
  [...previousResults(of, model, listed)].map((one) => [one.result.number, one.modelId]);

describe('previous result', () => {
  it('is the latest ended one before it, of the same suite and model', () => {
    expect(
      previous([
        result({ number: 10 }),
        result({ number: 9 }),
        result({ number: 8, hasEnded: false }),
        result({ number: 7, isDerived: true }),
        result({ number: 6, suite: { id: 'other', name: 'Suite' } }),
        result({ number: 5, models: [{ id: 'b', label: 'B' }] }),
        result({ number: 4 }),
        result({ number: 3, suite: { id: null, name: 'Suite' } }),
      ]),
    ).toEqual([
      [4, 'a'],
      [3, 'a'],
    ]);
  });

  it('has no previous one while it runs, and if it is derived', () => {
    expect(previous([result()], result({ number: 2, hasEnded: false }))).toEqual([]);
    expect(previous([result()], result({ number: 2, isDerived: true }))).toEqual([]);
  });

  it('knows a suite of a file by its name', () => {
    const file = { id: null, name: 'Suite' };
    const listed = [result({ number: 2 }), result({ number: 1, suite: file })];
    expect(previous(listed, result({ number: 3, suite: file }))).toEqual([[1, 'a']]);
  });

  it('compares tasks in the same execution mode', () => {
    const listed = [result({ number: 2, mode: 'stub' }), result({ number: 1, mode: 'live' })];
    expect(previous(listed, result({ number: 3, mode: 'live' }))).toEqual([[1, 'a']]);
  });

  it('takes equal settings before the name of a model, and none of several', () => {
    const named = (...ids: string[]) => ids.map((id) => ({ id, label: 'A' }));
    expect(previous([result({ models: named('b', 'a') })])).toEqual([[1, 'a']]);
    expect(previous([result({ models: named('b') })])).toEqual([[1, 'b']]);
    expect(previous([result({ models: named('b', 'c') })])).toEqual([]);
    // The other setting is a model of the result itself.
    const two = result({ number: 9, models: named('a', 'b') });
    expect(previous([result({ models: named('b') })], two)).toEqual([]);
    expect(previous([result({ models: named('b') })], two, 'b')).toEqual([[1, 'b']]);
  });
});
