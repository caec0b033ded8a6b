import {
  comparisonLine,
  fewerChangedText,
  hiddenToolsText,
  metricText,
  referenceName,
  referencesOf,
  removedToolText,
  thresholdText,
  toolText,
} from '../../../../src-shared/display/judgementTexts.ts';
import { differenceText } from '../../../../src-shared/display/differenceTexts.ts';
import type { Judgement } from '../../../../src-shared/domain/judgement.ts';
import { describeThreshold } from '../../../../src-shared/metrics/gates.ts';
import { countedSuite } from '../formats/writeJunit.ts';
import type { TestCase, TestSuite } from '../report.ts';

/** One test per threshold, tolerance and comparison. */
export function checksSuite({ thresholds, clients = [], ...others }: Judgement): TestSuite {
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
    ...clients.map((one) =>
      test(`${one.max} tools hidden in ${one.client} at most`, null, one, hiddenToolsText(one)),
    ),
    ...referencesOf(others).flatMap((reference) => {
      const name = referenceName(reference);
      const { comparisons, metrics, maxBroken, removedTools } = reference;
      return [
        ...metrics.map((one) =>
          test(`${one.metric} within ${one.tolerance} of ${name}`, one.model, one, metricText(one)),
        ),
        ...comparisons.map((one) =>
          test(
            `no worse than ${name}`,
            one.candidate.model,
            one,
            comparisonLine(one, maxBroken),
            one.candidate.regressed
              .map(({ caseKey, query, before, after, differences }) => {
                const shown = (labels: string[]) => labels.join(', ') || '–';
                const verb = one.candidate.unit === 'task' ? 'was' : 'called';
                return [
                  `${caseKey}: ${query}`,
                  ...differences.map((each) => `  ${differenceText(each)}`),
                  differences.length > 0
                    ? `  in the baseline, it ${verb} ${shown(before)}`
                    : `  ${verb} ${shown(before)}, now ${shown(after)}`,
                ].join('\n');
              })
              .join('\n'),
          ),
        ),
        ...comparisons.flatMap(({ candidate, perTool, byTest }) =>
          byTest
            ? perTool.map((tool) =>
                test(
                  `${tool.tool} no worse than ${name}`,
                  candidate.model,
                  { outcome: tool.worse ? 'failed' : 'passed' },
                  toolText(tool),
                ),
              )
            : [],
        ),
        ...comparisons.flatMap(({ candidate, changedCases: { changed }, byTest }) =>
          byTest && changed?.worse === true
            ? [
                test(
                  `changed ${candidate.unit}s no worse than ${name}`,
                  candidate.model,
                  { outcome: 'failed' },
                  fewerChangedText(changed, candidate.unit),
                ),
              ]
            : [],
        ),
        ...removedTools.map((tool) =>
          test(
            `${tool.tool} is offered`,
            null,
            { outcome: 'failed' },
            removedToolText(tool, comparisons[0]?.candidate.unit ?? 'case'),
          ),
        ),
      ];
    }),
  ]);
}
