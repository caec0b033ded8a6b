import { describe, expect, it } from 'vitest';
import { NO_TOOL, PHANTOM } from '../../../../src-shared/domain/labels.ts';
import type { ConfusionMatrix } from '../../../../src-shared/domain/metrics.ts';
import { appendixMatrix, involvedMatrix } from './evaluationMatrix.ts';

const tool = (at: number): string => `s:t${String(at).padStart(2, '0')}`;

/** 60 tools. The first `confused` were called once, twice and so on instead of the next one. */
function confusionOf(confused: number): ConfusionMatrix {
  const labels = [...Array.from({ length: 60 }, (_, at) => tool(at)), NO_TOOL, PHANTOM];
  const matrix = labels.map(() => labels.map(() => 0));
  for (let at = 0; at < 60; at += 1) {
    matrix[at]![at] = 5;
    if (at < confused) matrix[at]![(at + 1) % 60] = at + 1;
  }
  return { labels, matrix };
}

describe('appendixMatrix', () => {
  it('leaves out tools without an error when there are more than 42', () => {
    const matrix = appendixMatrix(confusionOf(10));
    expect(matrix.rows).toHaveLength(10);
    expect(matrix.columns).toHaveLength(11);
    expect(matrix.note).toContain('Tools without an error are left out.');
  });

  it('shows the 42 tools with the most errors when more than 42 have one', () => {
    const matrix = appendixMatrix(confusionOf(58));
    expect(matrix.rows).toHaveLength(42);
    expect(matrix.rows).toContain('t57');
    expect(matrix.rows).not.toContain('t15');
    expect(matrix.columns).toHaveLength(42);
    expect(matrix.note).toContain('Only the 42 tools with the most errors are shown.');
    const last = matrix.rows.indexOf('t57');
    const own = matrix.columns.indexOf('t57');
    expect(matrix.cell(last, own)).toMatchObject({ shown: '5', tone: 'correct' });
  });

  it('links a cell to the runs that it counts', () => {
    const matrix = appendixMatrix(confusionOf(58));
    const cell = matrix.cell(matrix.rows.indexOf('t56'), matrix.columns.indexOf('t57'));
    expect(cell.link).toEqual({ cell: '56-57', label: 's:t56 expected, s:t57 called: 57' });
  });
});

describe('involvedMatrix', () => {
  it('says where the tools are that do not fit on the first page', () => {
    expect(involvedMatrix(confusionOf(20), 1)?.note).toContain('The others are in the appendix.');
    expect(involvedMatrix(confusionOf(58), 1)?.note).toContain('The appendix shows more.');
  });
});
