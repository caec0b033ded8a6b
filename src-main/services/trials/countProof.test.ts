import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluateProof } from '../../../src-shared/metrics/candidateProof.ts';
import type { CallTally, ProofSide } from '../results/side.ts';
import { countProof as countSides, editedIds } from './countProof.ts';

interface ProofItem {
  position: number;
  right: number;
  scored: number;
  calls: readonly CallTally[];
}

const item = (
  position: number,
  right: number,
  scored: number,
  ...calls: readonly CallTally[]
): ProofItem => ({ position, right, scored, calls });
const tally = (tools: string | string[], made: number, expected: number): CallTally => ({
  tools: [tools].flat(),
  expected,
  made,
});
const edited = new Set(['s:add']);

/** A side of these items. A repetition has places of its own. */
function sideOf(items: readonly ProofItem[], firstPlace = 0): ProofSide {
  const placed = items.map((one, at) => ({
    ...one,
    place: firstPlace === 0 ? one.position : firstPlace + at,
  }));
  const found = (place: number) => placed.find((one) => one.place === place) ?? item(0, 0, 0);
  return {
    passedWhen: 'selection',
    items: placed.map(({ position, place }) => ({
      testCaseId: `id ${position}`,
      caseKey: `case ${position}`,
      position: place,
      content: '',
    })),
    tally: ({ position }) => found(position),
    calls: ({ position }) => found(position).calls,
  };
}
const countProof = (
  before: readonly ProofItem[],
  after: readonly ProofItem[],
  ids: ReadonlySet<string>,
) =>
  countSides(
    sideOf(before),
    sideOf(after, 100),
    before.map(({ position }) => ({ position, expected: [] })),
    ids,
  );

describe('the counts of a proof', () => {
  it('count the calls of other tools by run, and flips by majority', () => {
    const before = [
      item(0, 0, 3, tally('s:add', 0, 3)),
      item(1, 3, 3, tally('s:remove', 3, 3)),
      item(2, 3, 3, tally('s:remove', 3, 3)),
    ];
    const after = [
      item(0, 3, 3, tally('s:add', 3, 3)),
      item(1, 2, 3, tally('s:remove', 2, 3)),
      item(2, 1, 3, tally('s:remove', 1, 3)),
    ];
    expect(countProof(before, after, edited)).toEqual({
      cases: 3,
      won: 1,
      lost: 1,
      notScored: 0,
      passedBefore: 2,
      passedAfter: 2,
      others: [{ toolId: 's:remove', won: 0, lost: 1 }],
      otherCalls: { expected: 6, before: 6, after: 3, expectedAfter: 6 },
      tools: [
        { toolId: 's:add', cases: 1, before: 0, after: 1 },
        { toolId: 's:remove', cases: 2, before: 2, after: 1 },
      ],
    });
  });

  it('compare shares, so that a run without a score takes no call away', () => {
    const before = [item(0, 3, 3, tally('s:remove', 3, 3))];
    const after = [item(0, 1, 1, tally('s:remove', 1, 1))];
    const counts = countProof(before, after, edited);
    expect(counts.otherCalls).toEqual({ expected: 3, before: 3, after: 1, expectedAfter: 1 });
    expect(evaluateProof(counts, 1)).toMatchObject({ recallBefore: 1, recallAfter: 1 });
  });

  it('leave out ties, items without a score, and items that were not repeated', () => {
    const before = [item(0, 1, 2), item(1, 0, 0), item(2, 1, 1), item(3, 1, 1)];
    const after = [item(0, 2, 2), item(1, 1, 1), item(2, 1, 2)];
    expect(countProof(before, after, edited)).toMatchObject({ cases: 0, notScored: 4 });
  });

  it('count alternatives as one tool, unless an edited tool is among them', () => {
    const before = [
      item(0, 1, 1, tally(['s:copy', 's:move'], 1, 1)),
      item(1, 1, 1, tally(['s:add', 's:move'], 1, 1)),
    ];
    const after = [
      item(0, 0, 1, tally(['s:copy', 's:move'], 0, 1)),
      item(1, 1, 1, tally(['s:add', 's:move'], 1, 1)),
    ];
    expect(countProof(before, after, edited)).toMatchObject({
      others: [{ toolId: 's:copy | s:move', won: 0, lost: 1 }],
      otherCalls: { expected: 1, before: 1, after: 0 },
    });
  });

  it('know an edited tool by its new name too', () => {
    const renamed = editedIds([
      { toolId: 's:add', path: '/name', oldText: 'add', newText: 'create' },
    ]);
    const before = [item(0, 0, 1, tally('s:add', 0, 1)), item(1, 1, 1, tally('s:remove', 1, 1))];
    const after = [item(0, 1, 1, tally('s:create', 1, 1)), item(1, 0, 1, tally('s:remove', 0, 1))];
    const { otherCalls } = countProof(before, after, renamed);
    expect(otherCalls).toEqual({ expected: 1, before: 1, after: 0, expectedAfter: 1 });
  });

  it('do not depend on the order of items, and turn around when the sides are swapped', () => {
    const tools = fc.constantFrom('s:add', 's:remove', 's:list');
    const side = fc.array(
      fc.record({ scored: fc.nat(4), right: fc.nat(4), tool: tools }).map((one) => ({
        ...one,
        right: Math.min(one.right, one.scored),
      })),
      { minLength: 8, maxLength: 8 },
    );
    fc.assert(
      fc.property(side, side, (a, b) => {
        const toItems = (list: typeof a, names: typeof a): ProofItem[] =>
          list.map(({ right, scored }, at) =>
            item(at, right, scored, tally(names[at]?.tool ?? '', right, scored)),
          );
        const [before, after] = [toItems(a, a), toItems(b, a)];
        const forth = countProof(before, after, edited);
        const back = countProof(after, before, edited);
        expect(countProof(before, after.toReversed(), edited)).toEqual(forth);
        expect([back.won, back.lost, back.cases]).toEqual([forth.lost, forth.won, forth.cases]);
        const { expected, expectedAfter, before: was, after: is } = forth.otherCalls;
        expect(back.otherCalls).toEqual({
          expected: expectedAfter,
          before: is,
          after: was,
          expectedAfter: expected,
        });
      }),
    );
  });
});
