import type {
  CandidateComparison,
  ComparedCase,
  Comparison,
} from '../../../../src-shared/domain/comparison.ts';
import type { MetricsSummary } from '../../../../src-shared/domain/trend.ts';
import { clientName } from '../../../../src-shared/display/clientTexts.ts';
import { describeAnswer, sideName } from '../../../../src-shared/display/comparisonAnswer.ts';
import {
  formatCount,
  formatPercent,
  namedInterval,
} from '../../../../src-shared/display/numbers.ts';
import { numbersDocument } from '../../../services/reports/documents/evaluationDocument.ts';
import { publish } from '../../../services/reports/documents/published.ts';
import { table } from './output.ts';

/** The JSON document of `metrics`. */
export function metricsShape(summary: MetricsSummary) {
  const { filter, evaluations, cases, runs, outcomes } = summary;
  return {
    filter: { ...filter, evaluationIds: undefined, evaluation_ids: filter.evaluationIds },
    evaluations,
    cases,
    runs,
    outcomes,
    ...publish(numbersDocument, summary),
  };
}

export function comparisonText(comparison: Comparison): string {
  const lists = [
    ['Regressed', 'regressed'],
    ['Fixed', 'fixed'],
    ['Still failing', 'stillFailing'],
    ['Tied', 'tied'],
    ['Not scored', 'notScored'],
    ['Changed, not compared', 'changed'],
    ['New, not compared', 'added'],
    ['Removed, not compared', 'removed'],
  ] as const;
  return [
    ...clientsText(comparison.clients),
    ...comparison.candidates.map((one) => {
      const named =
        `${sideName(one)} (${one.model}) against ${sideName(comparison.baseline)} ` +
        `(${comparison.baseline.model})`;
      const parts = lists
        .filter(([, key]) => one[key].length > 0)
        .map(([title, key]) => {
          const rows = one[key]
            .slice(0, 50)
            .map(({ caseKey, name, before, after }) => [
              `  ${caseKey}`,
              name,
              before.join(', ') || '–',
              '→',
              after.join(', ') || '–',
            ]);
          const more = one[key].length - rows.length;
          return (
            `\n${title} ` +
            `(${one[key].length})\n${table(rows)}${more > 0 ? `\n  and ${more} more` : ''}`
          );
        });
      return [
        named,
        describeAnswer(one),
        `Regressed ${one.regressed.length} · fixed ${one.fixed.length} · still failing ` +
          `${one.stillFailing.length} · still right ${one.stillRight}`,
        ...(one.conditions.length === 0 ? [] : [`What differs: ${one.conditions.join(', ')}`]),
        ...parts,
      ].join('\n');
    }),
  ].join('\n\n');
}

/** The rates of results that differ in how tools are presented, as a table. */
const clientsText = (sides: Comparison['clients'] = []): string[] =>
  sides.length === 0
    ? []
    : [
        table([
          ['client', 'result', 'model', 'passed', 'tools hidden', 'descriptions cut'],
          ...sides.map((side) => [
            clientName(side.client),
            sideName(side),
            side.model,
            `${formatPercent(side.passed.value)} (${[namedInterval(side.passed), `n ${formatCount(side.passed.n)}`].filter((part) => part !== '').join(', ')})`,
            formatCount(side.hidden),
            formatCount(side.cut),
          ]),
        ]),
      ];

/** Cases with another result than before, regressed ones first. */
export function flipsOf(one: CandidateComparison) {
  const flip = (before: 'right' | 'wrong', after: 'right' | 'wrong') => (found: ComparedCase) => ({
    case_id: found.caseKey,
    name: found.name,
    before,
    after,
    selected_before: found.before,
    selected_after: found.after,
  });
  return [...one.regressed.map(flip('right', 'wrong')), ...one.fixed.map(flip('wrong', 'right'))];
}
