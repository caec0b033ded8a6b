import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_TOOL, PHANTOM } from '../../src-shared/domain/labels.ts';
import type { ExpectedCall } from '../../src-shared/domain/testCase.ts';
import { classify, confusionUnits } from './classify.ts';
import { matchCalls, toCallMatches, type Fit } from './matchCalls.ts';

const none: Fit = { full: false, matched: 0, expected: 0 };

function call(id: string): ExpectedCall {
  const ids = id
    .split('|')
    .map((each) => ({ server: each.split(':')[0] ?? '', tool: each.split(':')[1] ?? '' }));
  const [only] = ids;
  return ids.length === 1 && only ? only : { anyOf: ids };
}

/**
 * Expected and made calls as `s:a`; `s:a|s:b` = any of; null = phantom. Answers with the class, the
 * pairs and the units in short.
 */
function judge(
  expected: string[],
  made: (string | null)[],
  options: { ordered?: boolean; allowed?: string[]; fit?: (e: number, a: number) => Fit } = {},
) {
  const expectedCalls = expected.map(call);
  const allowedCalls = (options.allowed ?? []).map((id) => ({
    server: id.split(':')[0] ?? '',
    tool: id.split(':')[1] ?? '',
  }));
  const matching = matchCalls(
    { expectedCalls, allowedCalls, orderDependent: options.ordered ?? false },
    made,
    options.fit ?? (() => none),
  );
  return {
    matching,
    classification: classify(expectedCalls.length, matching),
    pairs: matching.pairs.map((pair) => [pair.expectedIndex, pair.actualIndex]),
    units: confusionUnits(expectedCalls, made, matching).map(
      (unit) => `${unit.expected}>${unit.selected}`,
    ),
  };
}

describe('classification and units', () => {
  it.each<[string, string[], (string | null)[], object, string, string[]]>([
    ['the expected tool', ['s:a'], ['s:a'], {}, 'TP', ['s:a>s:a']],
    ['another tool', ['s:a'], ['s:b'], {}, 'FN', ['s:a>s:b']],
    ['the same name on another server', ['s:a'], ['t:a'], {}, 'FN', ['s:a>t:a']],
    ['no call', ['s:a'], [], {}, 'FN', [`s:a>${NO_TOOL}`]],
    ['a phantom', ['s:a'], [null], {}, 'FN', [`s:a>${PHANTOM}`]],
    ['nothing due, nothing called', [], [], {}, 'TN', [`${NO_TOOL}>${NO_TOOL}`]],
    ['nothing due, a call', [], ['s:a'], {}, 'FP', [`${NO_TOOL}>s:a`]],
    ['nothing due, a phantom', [], [null], {}, 'FP', [`${NO_TOOL}>${PHANTOM}`]],
    [
      'nothing due, an allowed call',
      [],
      ['s:look'],
      { allowed: ['s:look'] },
      'TN',
      [`${NO_TOOL}>${NO_TOOL}`],
    ],
    ['a call too many', ['s:a'], ['s:a', 's:b'], {}, 'FN', ['s:a>s:a', `${NO_TOOL}>s:b`]],
    ['the same call twice', ['s:a'], ['s:a', 's:a'], {}, 'FN', ['s:a>s:a', `${NO_TOOL}>s:a`]],
    ['a call too few', ['s:a', 's:b'], ['s:b'], {}, 'FN', [`s:a>${NO_TOOL}`, 's:b>s:b']],
    ['any order', ['s:a', 's:b'], ['s:b', 's:a'], {}, 'TP', ['s:a>s:a', 's:b>s:b']],
    [
      'a fixed order, kept',
      ['s:a', 's:b'],
      ['s:a', 's:b'],
      { ordered: true },
      'TP',
      ['s:a>s:a', 's:b>s:b'],
    ],
    [
      'a fixed order, turned round',
      ['s:a', 's:b'],
      ['s:b', 's:a'],
      { ordered: true },
      'FN',
      ['s:a>s:b', 's:b>s:a'],
    ],
    [
      'a fixed order, one slipped in',
      ['s:a', 's:b'],
      ['s:a', 's:c', 's:b'],
      { ordered: true },
      'FN',
      ['s:a>s:a', 's:b>s:c', `${NO_TOOL}>s:b`],
    ],
    [
      'a fixed order, one missing',
      ['s:a', 's:b'],
      ['s:b'],
      { ordered: true },
      'FN',
      ['s:a>s:b', `s:b>${NO_TOOL}`],
    ],
    [
      'a fixed order round an allowed call',
      ['s:a', 's:b'],
      ['s:a', 's:look', 's:b'],
      { ordered: true, allowed: ['s:look'] },
      'TP',
      ['s:a>s:a', 's:b>s:b'],
    ],
    [
      'a fixed order, an allowed tool that is expected too',
      ['s:look', 's:b'],
      ['s:look', 's:look', 's:b'],
      { ordered: true, allowed: ['s:look'] },
      'TP',
      ['s:look>s:look', 's:b>s:b'],
    ],
    [
      'an allowed call before the act',
      ['s:a'],
      ['s:look', 's:a'],
      { allowed: ['s:look'] },
      'TP',
      ['s:a>s:a'],
    ],
    [
      'an allowed tool that is expected',
      ['s:look'],
      ['s:look', 's:look'],
      { allowed: ['s:look'] },
      'TP',
      ['s:look>s:look'],
    ],
    [
      'an allowed tool that is expected and missing',
      ['s:look', 's:a'],
      ['s:a'],
      { allowed: ['s:look'] },
      'FN',
      [`s:look>${NO_TOOL}`, 's:a>s:a'],
    ],
    ['the second of several right tools', ['s:a|s:b'], ['s:b'], {}, 'TP', ['s:a | s:b>s:b']],
    ['none of several right tools', ['s:a|s:b'], ['s:c'], {}, 'FN', ['s:a | s:b>s:c']],
    [
      'several right tools without greed',
      ['s:a|s:b', 's:a'],
      ['s:a', 's:b'],
      {},
      'TP',
      ['s:a | s:b>s:b', 's:a>s:a'],
    ],
    [
      'wrong calls taken in order',
      ['s:a', 's:b', 's:c'],
      ['s:x', 's:b', null, 's:y'],
      {},
      'FN',
      ['s:a>s:x', 's:b>s:b', `s:c>${PHANTOM}`, `${NO_TOOL}>s:y`],
    ],
  ])('classifies and counts %s', (_title, expected, made, options, classification, units) => {
    const found = judge(expected, made, options);
    expect(found.classification).toBe(classification);
    expect(found.units).toEqual(units);
  });

  it('lists every call once and marks allowed ones', () => {
    const { matching } = judge(['s:b', 's:a'], ['s:look', 's:a', 's:x'], { allowed: ['s:look'] });
    expect(toCallMatches(matching)).toEqual([
      { expectedIndex: 0, actualIndex: null, toolId: null, allowed: false },
      { expectedIndex: 1, actualIndex: 1, toolId: 's:a', allowed: false },
      { expectedIndex: null, actualIndex: 0, toolId: null, allowed: true },
      { expectedIndex: null, actualIndex: 2, toolId: null, allowed: false },
    ]);
  });
});

describe('choice among several calls of one tool', () => {
  const fits = (table: Record<string, Fit>) => (e: number, a: number) => table[`${e} ${a}`] ?? none;
  const partly = (matched: number): Fit => ({ full: false, matched, expected: 9 });
  const full = (matched: number): Fit => ({ full: true, matched, expected: matched });

  it('prefers more fully matching calls over more matched parameters', () => {
    // Crosswise: two full calls with one parameter each; straight: sixteen parameters, none full.
    const fit = fits({ '0 0': partly(8), '1 1': partly(8), '0 1': full(1), '1 0': full(1) });
    expect(judge(['s:a', 's:a'], ['s:a', 's:a'], { fit }).pairs).toEqual([
      [0, 1],
      [1, 0],
    ]);
  });

  it('prefers more matched parameters over list order', () => {
    const fit = fits({ '0 0': partly(1), '1 1': partly(1), '0 1': partly(2), '1 0': partly(1) });
    expect(judge(['s:a', 's:a'], ['s:a', 's:a'], { fit }).pairs).toEqual([
      [0, 1],
      [1, 0],
    ]);
  });

  it('breaks ties by list order', () => {
    expect(judge(['s:a', 's:a'], ['s:a', 's:a', 's:a']).pairs).toEqual([
      [0, 0],
      [1, 1],
    ]);
    expect(judge(['s:a', 's:a', 's:a'], ['s:a', 's:a']).pairs).toEqual([
      [0, 0],
      [1, 1],
    ]);
    expect(judge(['s:a'], ['s:x', 's:a', 's:a']).pairs).toEqual([[0, 1]]);
  });

  it('never gives up a pair for a better fit elsewhere', () => {
    const fit = fits({ '0 0': full(9), '1 0': partly(1) });
    expect(judge(['s:a|s:b', 's:a'], ['s:a', 's:b'], { fit }).pairs).toEqual([
      [0, 1],
      [1, 0],
    ]);
  });

  it('pairs 60 expected with 60 actual calls of one tool in polynomial time', () => {
    const fit = (e: number, a: number): Fit => ({
      full: (e * 17 + a * 5) % 7 === 0,
      matched: (e * 3 + a * 11) % 5,
      expected: 5,
    });
    const many = Array.from({ length: 60 }, () => 's:a');
    expect(judge(many, many, { fit }).pairs).toHaveLength(60);
  });

  it('finds the best pairing of up to 5 × 5 calls, compared with every possible one', () => {
    const anyFit = fc.record({
      full: fc.boolean(),
      matched: fc.integer({ min: 0, max: 4 }),
      expected: fc.constant(4),
    });
    const tools = fc.constantFrom('s:a', 's:b');
    const wanted = fc.constantFrom('s:a', 's:b', 's:a|s:b');
    fc.assert(
      fc.property(
        fc.array(wanted, { maxLength: 5 }),
        fc.array(tools, { maxLength: 5 }),
        fc.array(anyFit, { minLength: 25, maxLength: 25 }),
        (expected, made, table) => {
          const fit = (e: number, a: number): Fit => table[e * 5 + a] ?? none;
          const worth = (pairs: number[][]): number[] => [
            pairs.length,
            pairs.filter(([e, a]) => fit(e ?? 0, a ?? 0).full).length,
            pairs.reduce((sum, [e, a]) => sum + fit(e ?? 0, a ?? 0).matched, 0),
          ];
          const better = (a: number[], b: number[]): boolean => {
            const place = a.findIndex((value, index) => value !== b[index]);
            return place >= 0 && (a[place] ?? 0) > (b[place] ?? 0);
          };
          let best = [0, 0, 0];
          const walk = (e: number, pairs: number[][]): void => {
            if (e === expected.length) {
              if (better(worth(pairs), best)) best = worth(pairs);
              return;
            }
            walk(e + 1, pairs);
            for (const [a, id] of made.entries()) {
              if (expected[e]?.split('|').includes(id) && !pairs.some((pair) => pair[1] === a))
                walk(e + 1, [...pairs, [e, a]]);
            }
          };
          walk(0, []);
          const found = judge(expected, made, { fit }).pairs;
          expect(worth(found)).toEqual(best);
        },
      ),
      { numRuns: 800 },
    );
  });
});

describe('confusion matrix units', () => {
  const tool = fc.constantFrom('s:a', 's:b', 't:a', 't:c');
  const wanted = fc.oneof(tool, fc.constant('s:a|t:c'), fc.constant('s:b|s:a|t:a'));
  const made = fc.option(tool, { freq: 6 });
  const run = fc.record({
    expected: fc.array(wanted, { maxLength: 6 }),
    calls: fc.array(made, { maxLength: 6 }),
    ordered: fc.boolean(),
    allowed: fc.uniqueArray(tool, { maxLength: 2 }),
  });

  it('has row sums equal to expected calls and column sums equal to calls made', () => {
    fc.assert(
      fc.property(run, ({ expected, calls, ordered, allowed }) => {
        const { units, matching } = judge(expected, calls, { ordered, allowed });
        const rows = units.filter((unit) => !unit.startsWith(`${NO_TOOL}>`)).length;
        const columns = units.filter((unit) => !unit.endsWith(`>${NO_TOOL}`)).length;
        expect(rows).toBe(expected.length);
        expect(columns).toBe(calls.length - matching.allowed.length);
        expect(units.length).toBeGreaterThan(0);
      }),
      { numRuns: 2000 },
    );
  });

  it('has exactly one correct unit per matched call', () => {
    fc.assert(
      fc.property(run, ({ expected, calls, ordered, allowed }) => {
        const { units, pairs, classification } = judge(expected, calls, { ordered, allowed });
        const isRight = (unit: string): boolean => {
          const [row = '', column = ''] = unit.split('>');
          return row.split(' | ').includes(column);
        };
        const right = units.filter((unit) => isRight(unit) && unit !== `${NO_TOOL}>${NO_TOOL}`);
        expect(right).toHaveLength(pairs.length);
        expect(classification === 'TP' || classification === 'TN').toBe(units.every(isRight));
      }),
      { numRuns: 2000 },
    );
  });

  it('does not depend on server names', () => {
    const rename = (id: string): string => id.replaceAll('s:', 'zz:').replaceAll('t:', 'aa:');
    fc.assert(
      fc.property(run, ({ expected, calls, ordered, allowed }) => {
        const before = judge(expected, calls, { ordered, allowed });
        const after = judge(
          expected.map(rename),
          calls.map((id) => (id === null ? null : rename(id))),
          { ordered, allowed: allowed.map(rename) },
        );
        expect(after.classification).toBe(before.classification);
        const resorted = (unit: string): string => {
          const [row = '', column = ''] = rename(unit).split('>');
          return `${row.split(' | ').sort().join(' | ')}>${column}`;
        };
        expect(after.units).toEqual(before.units.map(resorted));
      }),
      { numRuns: 1000 },
    );
  });
});
