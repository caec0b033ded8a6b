import { describe, expect, it } from 'vitest';
import { NO_TOOL, PHANTOM } from '../domain/labels.ts';
import { confusionView, CORRECT, failuresIn, involvedIn, toneOfCell } from './confusionView.ts';

function matrixOf(labels: string[], cells: [string, string, number][]) {
  const matrix = labels.map(() => labels.map(() => 0));
  for (const [expected, selected, count] of cells)
    matrix[labels.indexOf(expected)]![labels.indexOf(selected)] = count;
  return { labels, matrix };
}

const small = matrixOf(
  ['a:x', 'b:y', NO_TOOL, PHANTOM],
  [
    ['a:x', 'b:y', 2],
    ['a:x', 'a:x', 3],
    [NO_TOOL, NO_TOOL, 1],
    ['b:y', PHANTOM, 4],
  ],
);
const labels = [
  ...Array.from({ length: 60 }, (_, at) => `s:t${String(at).padStart(2, '0')}`),
  NO_TOOL,
  PHANTOM,
];
const large = matrixOf(labels, [
  ['s:t50', 's:t51', 9],
  ['s:t07', 's:t07', 100],
  ['s:t20', NO_TOOL, 2],
  ['s:t00', 's:t00', 1],
]);

describe('confusionView', () => {
  it('has a column but no row for phantoms', () => {
    const view = confusionView(small, '');
    expect(view.rows.map(({ id }) => id)).toEqual(['a:x', 'b:y', NO_TOOL]);
    expect(view.columns.map(({ id }) => id)).toEqual(['a:x', 'b:y', NO_TOOL, PHANTOM]);
    expect(view.counts).toEqual([
      [3, 2, 0, 0],
      [0, 0, 0, 4],
      [0, 0, 1, 0],
    ]);
    expect(view.totals).toEqual([5, 4, 1]);
    expect(view.outside).toBe(0);
  });

  it('groups tools by server and leaves "no tool" ungrouped', () => {
    expect(confusionView(small, '').columns.map(({ group, label }) => [group, label])).toEqual([
      ['a', 'x'],
      ['b', 'y'],
      [null, 'no tool'],
      [null, 'tool not offered'],
    ]);
  });

  it('keeps the confused tools when there are too many', () => {
    const view = confusionView(large, '', 5);
    const ids = view.rows.map(({ id }) => id);
    expect(view.shown).toBe(5);
    expect(ids).toContain('s:t50');
    expect(ids).toContain('s:t51');
    expect(ids).toContain('s:t20');
    expect([...ids].sort()).toEqual([...ids.slice(0, 5), NO_TOOL].sort());
  });

  it('counts what a filter leaves out', () => {
    const view = confusionView(large, 't50', 5);
    expect(view.rows.map(({ id }) => id)).toEqual(['s:t50', 's:t51', NO_TOOL]);
    expect(view.outside).toBe(103);
    expect(view.tools).toBe(60);
  });

  it('keeps only "no tool" when nothing matches the filter', () => {
    const view = confusionView(large, 'nothing like it', 5);
    expect(view.rows.map(({ id }) => id)).toEqual([NO_TOOL]);
    expect(confusionView({ labels: [], matrix: [] }, '').rows).toEqual([]);
  });
});

describe('involvedIn', () => {
  it('keeps rows with errors, and the columns of their tools and of the wrong calls', () => {
    const view = involvedIn(confusionView(large, '', 1000));
    expect(view.rows.map(({ id }) => id)).toEqual(['s:t20', 's:t50']);
    expect(view.columns.map(({ id }) => id)).toEqual(['s:t20', 's:t50', 's:t51', NO_TOOL]);
    expect(view.counts).toEqual([
      [0, 0, 0, 2],
      [0, 0, 9, 0],
    ]);
  });

  it('is empty where nothing went wrong', () => {
    const clean = matrixOf(['a:x', NO_TOOL, PHANTOM], [['a:x', 'a:x', 3]]);
    expect(involvedIn(confusionView(clean, '')).rows).toEqual([]);
  });
});

describe('failuresIn', () => {
  const either = 'a:x | b:y';
  const failing = matrixOf(
    ['a:x', 'a:z', 'b:y', either, NO_TOOL, PHANTOM],
    [
      ['a:x', 'a:x', 3],
      ['a:x', 'b:y', 2],
      ['a:x', NO_TOOL, 1],
      ['a:z', 'a:z', 4],
      ['b:y', 'b:y', 7],
      [either, 'a:x', 1],
      [either, 'b:y', 2],
      [either, 'a:z', 1],
      [NO_TOOL, NO_TOOL, 5],
      [NO_TOOL, 'a:z', 1],
    ],
  );
  const view = failuresIn(confusionView(failing, ''), new Map([['a:z', 2]]));

  it('counts the calls of a right tool in one column before the tools that were called instead', () => {
    expect(view.columns.map(({ id }) => id)).toEqual([CORRECT, 'a:z', 'b:y', NO_TOOL]);
    expect(view.rows.map(({ id }, at) => [id, ...(view.counts[at] ?? [])])).toEqual([
      ['a:x', 3, 0, 2, 1],
      ['a:z', 4, 0, 0, 0],
      [either, 3, 1, 0, 0],
      [NO_TOOL, 0, 1, 0, 5],
    ]);
    expect(view.totals).toEqual([6, 4, 4, 6]);
  });

  it('keeps a row whose calls fail by their arguments alone, and says how many', () => {
    expect(view.wrongArguments).toEqual([0, 2, 0, 0]);
    expect(view.rows.map(({ id }) => id)).not.toContain('b:y');
  });

  it('takes the column of correct calls, and a refused call where none is expected, as correct', () => {
    const [x, , , none] = view.rows;
    const [correct, z, , declined] = view.columns;
    expect(toneOfCell(x!, correct!)).toBe('correct');
    expect(toneOfCell(none!, declined!)).toBe('correct');
    expect(toneOfCell(none!, z!)).toBe('unneeded_call');
    expect(toneOfCell(x!, declined!)).toBe('no_tool_called');
  });

  it('keeps every call of the shown rows', () => {
    view.counts.forEach((row, at) => {
      expect(row.reduce((a, b) => a + b, 0)).toBe(view.totals[at]);
    });
  });
});
