import { describe, expect, it } from 'vitest';
import type { LintToolScore } from '../domain/lint.ts';
import { deductionTitle, qualityHeadline, qualityTitle, ruleCosts } from './qualityTexts.ts';

const deduction = (rule: string, points: number) => ({
  rule,
  severity: 'medium' as const,
  points,
  fix: `Fix ${rule}.`,
});
const tool = (toolId: string, ...deductions: LintToolScore['deductions']): LintToolScore => ({
  toolId,
  score: Math.max(1, 10 - deductions.reduce((sum, { points }) => sum + points, 0)),
  deductions,
});
const vague = deduction('vague-name', 2);
const unfinished = deduction('unfinished-text', 4);

describe('the texts about quality', () => {
  it('count the tools of low quality and name what costs the most points', () => {
    // 4 points to one tool against 3 × 2 points: the sum decides, not the severity.
    const tools = [tool('a:w', unfinished, vague), tool('a:x', vague), tool('a:y', vague)];
    expect(ruleCosts(tools).map(({ rule, points }) => [rule, points])).toEqual([
      ['vague-name', 6],
      ['unfinished-text', 4],
    ]);
    expect(qualityHeadline({ tools })).toBe(
      '1 of 3 tools has low quality. Most points are lost for vague names.',
    );
    expect(qualityHeadline({ tools: tools.slice(1) })).toBe(
      'None of 2 tools has low quality. Most points are lost for vague names.',
    );
  });

  it('claim nothing more than that no rule found anything', () => {
    expect(qualityHeadline({ tools: [tool('a:x'), tool('a:y')] })).toBe(
      'No rule found a problem in 2 tools.',
    );
    expect(qualityHeadline({ tools: [tool('a:x')] })).toBe('No rule found a problem in the tool.');
  });

  it('name one finding in the singular and all of them in the plural', () => {
    expect([deductionTitle('vague-name'), qualityTitle('vague-name')]).toEqual([
      'Vague name',
      'Vague names',
    ]);
    expect([deductionTitle('a-new-rule'), qualityTitle('a-new-rule')]).toEqual([
      'A-new-rule',
      'A-new-rule',
    ]);
  });
});
