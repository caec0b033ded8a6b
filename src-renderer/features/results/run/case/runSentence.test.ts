import { describe, expect, it } from 'vitest';
import type { RunDetail, RunRow } from '../../../../../src-shared/domain/evaluation.ts';
import { NO_TOOL, PHANTOM } from '../../../../../src-shared/domain/labels.ts';
import type { ConfusionUnit } from '../../../../../src-shared/domain/score.ts';
import { plainText } from '../../../../../src-shared/display/verdictTexts.ts';
import { outcomeOfRun } from '../../../../../src-shared/metrics/outcomes.ts';
import { runSentence } from './runSentence.ts';

const base: RunRow = {
  runId: 'r',
  testCaseId: 'c',
  caseKey: 'c',
  caseName: 'case',
  query: 'query',
  tags: [],
  modelSettingsId: 'm',
  position: 0,
  repetition: 1,
  attempt: 1,
  status: 'completed',
  failure: null,
  errorMessage: null,
  classification: null,
  passed: null,
  outcome: 'not_run',
  expected: [],
  selected: [],
  units: [],
  parameterCorrectness: null,
  confidence: null,
  executionTimeMs: null,
};

function sentence(
  part: Partial<RunRow>,
  { calls = [], offered = ['s:a', 's:b'] }: Partial<Pick<RunDetail, 'calls' | 'offered'>> = {},
): string {
  const row = { ...base, ...part };
  const outcome = outcomeOfRun(row);
  return plainText(
    runSentence({ row: { ...row, outcome }, calls, score: null, offered }),
    (name) => `\`${name}\``,
  );
}
const scored = (
  passed: boolean,
  units: [string, string][],
  classification: RunRow['classification'] = 'FN',
): Partial<RunRow> => ({
  classification,
  passed,
  units: units.map(([expected, selected]): ConfusionUnit => ({ expected, selected })),
  expected: units.map(([expected]) => expected),
});

describe('runSentence', () => {
  it('names what passed', () => {
    expect(sentence(scored(true, [['s:a', 's:a']], 'TP'))).toBe(
      'Passed: `a` was called as expected',
    );
    expect(sentence(scored(true, [[NO_TOOL, NO_TOOL]], 'TN'))).toBe(
      'Passed: no tool was called, as expected',
    );
    expect(
      sentence(
        scored(
          true,
          [
            ['s:a', 's:a'],
            ['s:b', 's:b'],
          ],
          'TP',
        ),
      ),
    ).toBe('Passed: all 2 expected calls were made');
  });

  it('names the tools of each kind of failure', () => {
    expect(sentence(scored(false, [['s:b', 's:a']]))).toBe('`a` was called instead of `b`');
    expect(sentence(scored(false, [['s:a', NO_TOOL]]))).toBe(
      'No tool was called where `a` was expected',
    );
    expect(
      sentence(
        scored(false, [
          ['s:a', 's:a'],
          ['s:b', NO_TOOL],
        ]),
      ),
    ).toBe('`b` was left out: 1 of 2 expected calls made');
    expect(sentence(scored(false, [['s:a', 's:a']], 'TP'))).toBe(
      '`a` was called with wrong arguments',
    );
    expect(sentence(scored(false, [[NO_TOOL, 's:a']], 'FP'))).toBe(
      '`a` was called where no tool was expected',
    );
  });

  it('names a made-up tool as the model wrote it', () => {
    const made = {
      id: '1',
      server: null,
      tool: null,
      name: 'x',
      arguments: {},
      argumentsText: null,
    };
    expect(sentence(scored(false, [['s:a', PHANTOM]]), { calls: [made] })).toBe(
      '`x`, which was not offered, was called instead of `a`',
    );
  });

  it('names the server of a tool if several servers were offered', () => {
    expect(sentence(scored(false, [['t:a', 's:a']]), { offered: ['s:a', 't:a'] })).toBe(
      '`s:a` was called instead of `t:a`',
    );
  });

  it('tells a run that was cancelled from one without a usable reply', () => {
    expect(sentence({ status: 'failed', failure: 'cancelled' })).toBe(
      'Not run: the evaluation was canceled',
    );
    expect(sentence({ status: 'pending' })).toBe('Not run yet');
    expect(sentence({ status: 'failed', failure: 'provider' })).toBe(
      'Not scored: the model’s service failed',
    );
    expect(sentence({ status: 'failed', failure: 'agent' })).toBe('Not scored: the agent failed');
  });
});
