import { describe, expect, it } from 'vitest';
import type { LintFinding, LintReport } from '../../../../src-shared/domain/lint.ts';
import { matchesFilter, toolRows, type QualityFilter } from './toolRows.ts';

const finding = (toolId: string, rule: string, message: string): LintFinding => ({
  toolId,
  rule,
  severity: rule === 'deprecated' ? 'high' : 'low',
  message,
  fix: 'Do it.',
  span: null,
});
const report: Pick<LintReport, 'tools' | 'findings'> = {
  findings: [
    finding('a:old', 'deprecated', 'It says so.'),
    finding('a:old', 'missing-unit', '"size" has no unit.'),
    finding('b:add', 'missing-unit', '"delay" has no unit.'),
    finding('b:add', 'missing-unit', '"age" has no unit.'),
  ],
  tools: [
    {
      toolId: 'a:old',
      score: 5,
      deductions: [
        { rule: 'deprecated', severity: 'high', points: 4, fix: 'Remove it.' },
        { rule: 'missing-unit', severity: 'low', points: 1, fix: 'Add it.' },
      ],
    },
    {
      toolId: 'b:add',
      score: 9,
      deductions: [{ rule: 'missing-unit', severity: 'low', points: 1, fix: 'Add it.' }],
    },
    { toolId: 'b:fine', score: 10, deductions: [] },
  ],
};
const all: QualityFilter = { server: null, rule: null, severity: null, search: '' };
const shown = (filter: Partial<QualityFilter>): string[] =>
  toolRows(report)
    .filter((row) => matchesFilter(row, { ...all, ...filter }))
    .map(({ toolId }) => toolId);

describe('the tools of the quality page', () => {
  it('keep their order and have the findings of each deduction', () => {
    const rows = toolRows(report);
    expect(rows.map(({ toolId }) => toolId)).toEqual(['a:old', 'b:add', 'b:fine']);
    expect(rows[1]?.deductions[0]).toMatchObject({
      title: 'Missing unit or date format',
      findings: [{ message: '"delay" has no unit.' }, { message: '"age" has no unit.' }],
    });
  });

  it('are filtered by server, rule, severity and text together', () => {
    expect(shown({})).toEqual(['a:old', 'b:add', 'b:fine']);
    expect(shown({ server: 'b' })).toEqual(['b:add', 'b:fine']);
    expect(shown({ rule: 'missing-unit' })).toEqual(['a:old', 'b:add']);
    expect(shown({ severity: 'high' })).toEqual(['a:old']);
    expect(shown({ search: ' DELAY ' })).toEqual(['b:add']);
    expect(shown({ search: 'fine' })).toEqual(['b:fine']);
  });

  it('match a rule and a severity by the same deduction', () => {
    expect(shown({ rule: 'missing-unit', severity: 'high' })).toEqual([]);
  });
});
