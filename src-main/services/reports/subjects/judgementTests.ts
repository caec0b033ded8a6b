import {
  comparisonLine,
  metricText,
  thresholdText,
} from '../../../../src-shared/display/judgementTexts.ts';
import { differenceText } from '../../../../src-shared/display/callDifferences.ts';
import type { Judgement } from '../../../../src-shared/domain/judgement.ts';
import { describeThreshold } from '../../../../src-shared/metrics/gates.ts';
import { countedSuite } from '../formats/writeJunit.ts';
import type { TestCase, TestSuite } from '../report.ts';

/** One test per threshold, tolerance and comparison. */
export function checksSuite({ thresholds, baseline }: Judgement): TestSuite {
  const maxBroken = baseline?.maxBroken ?? null;
  const test = (
    name: string,
    model: string | null,
    { outcome }: { outcome: Judgement['thresholds'][number]['outcome'] },
    message: string,
    text?: string,
  ): TestCase => ({
    name,
    classname: model ?? 'check',
    outcome:
      outcome === 'passed'
        ? null
        : {
            kind: outcome === 'failed' ? 'failure' : 'error',
            message,
            type: outcome,
            ...(text === undefined ? {} : { text }),
          },
  });
  return countedSuite('Checks', [
    ...thresholds.map((one) =>
      test(describeThreshold(one.threshold), one.model, one, thresholdText(one)),
    ),
    ...(baseline?.metrics ?? []).map((one) =>
      test(
        `${one.metric} within ${one.tolerance} of the baseline`,
        one.model,
        one,
        metricText(one),
      ),
    ),
    ...(baseline?.comparisons ?? []).map((one) =>
      test(
        'no worse than the baseline',
        one.candidate.model,
        one,
        comparisonLine(one, maxBroken),
        one.candidate.regressed
          .map(({ caseKey, query, before, after, differences }) => {
            const shown = (labels: string[]) => labels.join(', ') || '–';
            const verb = one.candidate.unit === 'task' ? 'was' : 'called';
            return [
              `${caseKey}: ${query}`,
              ...differences.map((one) => `  ${differenceText(one)}`),
              differences.length > 0
                ? `  in the baseline, it called ${shown(before)}`
                : `  ${verb} ${shown(before)}, now ${shown(after)}`,
            ].join('\n');
          })
          .join('\n'),
      ),
    ),
  ]);
}
