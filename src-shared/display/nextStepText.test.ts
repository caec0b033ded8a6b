import { describe, expect, it } from 'vitest';
import { NO_TOOL } from '../domain/labels.ts';
import type { CauseGroup, Verdict } from '../domain/verdict.ts';
import { emptyOutcomeCounts } from '../metrics/outcomes.ts';
import { nextStepText } from './nextStepText.ts';
import { plainText } from './verdictTexts.ts';

const cause = (change: Partial<CauseGroup>): CauseGroup => ({
  outcome: 'no_tool_called',
  expected: 's:add_task',
  called: NO_TOOL,
  runs: 4,
  cases: 4,
  ...change,
});
const verdict = (...causes: CauseGroup[]): Verdict => ({
  unit: 'cases',
  cases: 61,
  counts: { ...emptyOutcomeCounts(), passed: 39, no_tool_called: 22 },
  passRate: { value: 39 / 61, low: 0.5, high: 0.7, n: 61 },
  models: [],
  casesPassedByAll: null,
  causes,
  missingWords: [],
  severalServers: false,
  previous: null,
});
const textOf = (...causes: CauseGroup[]) => plainText(nextStepText(verdict(...causes))?.text ?? []);

describe('nextStepText', () => {
  it('names the tool to fix, why, and what that is worth', () => {
    expect(textOf(cause({}), cause({ expected: 's:delete', runs: 3 }))).toBe(
      'fix add_task. It was not called in 4 cases, more than any other tool. ' +
        'Fixing these 4 would raise the pass rate to 70%.',
    );
  });

  it('claims no lead that the tool does not have', () => {
    expect(textOf(cause({}), cause({ expected: 's:delete' }))).toBe(
      'fix add_task. It was not called in 4 cases. Fixing these 4 would raise the pass rate to 70%.',
    );
  });

  it('says how many more failures the tool has, as the page of fixes counts them', () => {
    expect(
      textOf(
        cause({ outcome: 'wrong_tool', called: 's:list', runs: 11 }),
        cause({ runs: 7 }),
        cause({ expected: 's:delete', runs: 2 }),
      ),
    ).toBe(
      'fix add_task. list was called instead in 11 cases. ' +
        'Fixing these 11 would raise the pass rate to 82%. The tool has 7 more failing cases.',
    );
  });

  it('names the tool that was called instead', () => {
    expect(textOf(cause({ outcome: 'wrong_tool', called: 's:list', runs: 1 }))).toBe(
      'fix add_task. list was called instead in 1 case. ' +
        'Fixing this case would raise the pass rate to 66%.',
    );
  });

  it('adds up no rate of several models', () => {
    const [one, other] = ['a', 'b'].map((modelSettingsId) => ({ modelSettingsId }));
    const several = { ...verdict(cause({})), models: [one, other] } as Verdict;
    expect(plainText(nextStepText(several)?.text ?? [])).toBe(
      'fix add_task. It was not called in 4 cases.',
    );
  });

  it('is null when nothing failed', () => {
    expect(nextStepText(verdict())).toBeNull();
  });
});
