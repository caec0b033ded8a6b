import { describe, expect, it } from 'vitest';
import type { ParameterTally } from '../../../../../src-shared/domain/analysis.ts';
import type { PerTool } from '../../../../../src-shared/domain/metrics.ts';
import { plainText } from '../../../../../src-shared/display/verdictTexts.ts';
import {
  argumentsFinding,
  costFinding,
  latencyFinding,
  passRateFinding,
  repetitionsFinding,
  shownBins,
  toolsFinding,
} from './tabFindings.ts';
import type { Answer } from '../../../../../src-shared/domain/comparison.ts';
import { latencyHistogram } from '../../../../../src-shared/metrics/latencyHistogram.ts';

const none = { value: null, low: null, high: null, n: 0 };
const tool = (toolId: string, part: Partial<PerTool>): PerTool => ({
  toolId,
  tp: 0,
  anyOf: 0,
  fp: 0,
  fn: 0,
  precision: none,
  recall: none,
  f1Score: none,
  ...part,
});
const tally = (name: string, part: Partial<ParameterTally>): ParameterTally => ({
  toolId: 's:find',
  name,
  n: 0,
  accuracy: none,
  matched: 0,
  wrongValue: 0,
  missing: 0,
  unexpected: 0,
  hallucinated: 0,
  unreadable: 0,
  notScored: 0,
  ...part,
});
const texts = ({ text, note }: ReturnType<typeof toolsFinding>) => [
  plainText(text),
  plainText(note),
];

describe('toolsFinding', () => {
  it('names the tool that is missed most and the one that is called by mistake most', () => {
    const rows = [tool('s:a', { tp: 2, fn: 3 }), tool('s:b', { tp: 4, fn: 1, fp: 6, anyOf: 2 })];
    expect(texts(toolsFinding(rows, []))).toEqual([
      's:a is missed most: it got 2 of 5 expected calls.',
      's:b is called by mistake most: 6 of its 12 calls.',
    ]);
  });

  it('says that every call was right when none was missed or wrong', () => {
    expect(texts(toolsFinding([tool('s:a', { tp: 2 })], []))[0]).toBe(
      'Every call went to the expected tool.',
    );
  });

  it('claims no perfect result when only alternatives were missed', () => {
    const row = { label: 's:a | s:b', tools: ['s:a', 's:b'], tp: 0, fn: 1, recall: none };
    expect(texts(toolsFinding([], [row]))[0]).toBe(
      'Only cases with several correct tools have missed calls.',
    );
  });
});

describe('argumentsFinding', () => {
  it('counts wrong and missing values and names the worst parameter', () => {
    const rows = [
      tally('limit', { n: 4, matched: 1, wrongValue: 2, missing: 1 }),
      tally('query', { n: 6, matched: 6, hallucinated: 1 }),
    ];
    expect(texts(argumentsFinding(rows))).toEqual([
      '3 of 10 expected arguments were wrong or missing, most often limit of s:find (3 of 4).',
      '1 argument is not in the tool’s schema. Counts only calls of the expected tool.',
    ]);
  });

  it('says that all matched when none was wrong', () => {
    expect(texts(argumentsFinding([tally('q', { n: 6, matched: 6 })]))[0]).toBe(
      'All 6 expected arguments matched.',
    );
  });
});

describe('repetitionsFinding', () => {
  it('counts flaky cases and reads the rates of the highest k in words', () => {
    const noEnds = { passAtKInterval: null, passAllKInterval: null };
    const passRates = [
      { k: 1, passAtK: 0.6, passAllK: 0.6, cases: 10, ...noEnds },
      { k: 5, passAtK: 0.9, passAllK: 0.25, cases: 10, ...noEnds },
    ];
    const numbers = { flakyTotal: 4, repeatedCases: 10, passRates };
    expect(texts(repetitionsFinding(numbers, 'selection_and_parameters'))).toEqual([
      '4 of 10 repeated cases are flaky: passed in some repetitions, failed in others.',
      'In 5 repetitions, a case passes at least once with a chance of 90% and every time with 25%.',
    ]);
    expect(texts(repetitionsFinding(numbers, 'selection'))).toEqual([
      '4 of 10 repeated cases are flaky: called the right tools in some repetitions, not in others.',
      'In 5 repetitions, a case has the right tools at least once with a chance of 90% and every time with 25%.',
    ]);
  });
});

describe('costFinding', () => {
  const tokens = { input: 12000, output: 300 };

  it('leads with the cost if it is known', () => {
    expect(texts(costFinding({ costUsd: 0.12, unansweredRequests: 0, tokens }))).toEqual([
      'The answers cost $0.12: 12,000 input tokens and 300 output tokens.',
      '',
    ]);
  });

  it('leads with the tokens if the cost is unknown, and says why', () => {
    expect(
      texts(
        costFinding({ costUsd: null, unansweredRequests: 0, tokens: { ...tokens, output: null } }),
      ),
    ).toEqual([
      'The answers used 12,000 input tokens.',
      'Their cost is unknown: a price or a count is missing.',
    ]);
  });

  it('says that there is no cost if no tokens were reported', () => {
    expect(texts(costFinding({ costUsd: null, unansweredRequests: 0, tokens: null }))[0]).toBe(
      'No tokens were reported, so there is no cost to show.',
    );
  });
});

const rate = (name: string, value: number, vsBest?: Answer) => ({ name, value, vsBest });

describe('passRateFinding', () => {
  it('names the best model, and says when the paired test can not tell the next one from it', () => {
    expect(passRateFinding([rate('weak', 0.5, 'worse'), rate('strong', 0.8)])).toBe(
      'strong passes most: 80% vs. 50%',
    );
    expect(passRateFinding([rate('weak', 0.5, 'cannot tell'), rate('strong', 0.64)])).toBe(
      'strong passes most: 64% vs. 50%, within noise',
    );
    expect(passRateFinding([rate('weak', 0.5), rate('strong', 0.64)])).toBe(
      'strong passes most: 64% vs. 50%',
    );
    expect(passRateFinding([rate('weak', 0.5), rate('same', 0.5)])).toBe(
      'weak and same pass equally often',
    );
  });
});

describe('shownBins', () => {
  it('labels the bins from the first to the last with a value', () => {
    const labels = shownBins([latencyHistogram([120, 700]), latencyHistogram([1500])]).map(
      ({ label }) => label,
    );
    expect(labels).toEqual(['100–200 ms', '200–500 ms', '500 ms–1 s', '1–2 s']);
    expect(shownBins([latencyHistogram([0.2])])).toEqual([{ at: 0, label: 'under 1 ms' }]);
    expect(shownBins([latencyHistogram([9e9])])[0]?.label).toBe('5,000 s or more');
    expect(shownBins([latencyHistogram([])])).toEqual([]);
  });
});

describe('latencyFinding', () => {
  it('gives p50 and p95 of one model, or of the fastest one', () => {
    const slow = { modelSettingsId: 'slow', p50: 2500, p95: 9000 };
    const fast = { modelSettingsId: 'fast', p50: 420, p95: 1200 };
    const nameOf = (id: string) => id;
    expect(latencyFinding([slow], nameOf)).toBe(
      'Half of the answers took 2.5 s or less, 95% took 9 s or less',
    );
    expect(latencyFinding([slow, fast], nameOf)).toBe(
      'fast is the fastest (p50 420 ms, p95 1.2 s)',
    );
    expect(latencyFinding([], nameOf)).toBe('No answer was timed');
  });
});
