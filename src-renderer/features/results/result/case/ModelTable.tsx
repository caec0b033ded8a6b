import { EstimateText } from '../../../../ui/estimate/EstimateTile.tsx';
import { Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Evaluation, EvaluationSummary } from '../../../../../src-shared/domain/evaluation.ts';
import type { Estimate } from '../../../../../src-shared/domain/metrics.ts';
import type { Deferral } from '../../../../../src-shared/domain/modelService.ts';
import { hasEnded } from '../../../../../src-shared/domain/evaluationState.ts';
import { vsBestText } from '../../../../../src-shared/display/verdictTexts.ts';
import type { VsBest } from '../../../../../src-shared/domain/verdict.ts';
import { useApi, useRead } from '../../../../api/index.ts';
import { Term } from '../../../../ui/text/Term.tsx';
import {
  NOT_DEFINED,
  formatCount,
  formatDuration,
  formatShare,
  formatUsd,
  counted,
} from '../../../../../src-shared/display/numbers.ts';
import { PlainTable } from '../../../../ui/table/PlainTable.tsx';
import { Foreign } from '../../../../ui/text/Foreign.tsx';
import { metricMeaning } from '../../evaluationWords.ts';
import { PassRateChart } from '../../PassRateChart.tsx';
import { nameModels } from '../../modelNames.ts';

/** The models of one evaluation side by side, over the same cases. Empty if there is only one. */
export function ModelTable({ evaluation }: { evaluation: Evaluation }) {
  const { queries } = useApi();
  const several = evaluation.models.length > 1;
  const ended = hasEnded(evaluation.state);
  const summaries = useQueries({
    queries:
      several && ended
        ? evaluation.models.map(({ id }) =>
            queries.evaluations.summary.queryOptions({
              input: { id: evaluation.id, modelSettingsId: id },
            }),
          )
        : [],
  });
  const verdict = useRead((ask) => ask.results.verdict, {
    input: { id: evaluation.id },
    enabled: several && ended,
  });
  const deferrals = useRead((ask) => ask.models.deferrals, {
    input: { evaluationId: evaluation.id },
    enabled: several && ended && evaluation.models.some(({ deferTools }) => deferTools),
  });
  if (!several || !ended) return null;
  const names = nameModels(evaluation.models);
  const vsBestOf = (id: string) =>
    verdict.data?.models.find(({ modelSettingsId }) => modelSettingsId === id)?.vsBest ?? null;
  return (
    <>
      <PassRateChart
        rates={evaluation.models.flatMap((model, index) => {
          const rate = summaries[index]?.data?.metrics.passRate;
          const vsBest = vsBestOf(model.id)?.answer;
          return rate === undefined
            ? []
            : [{ name: names.get(model.id) ?? model.model, rate, vsBest }];
        })}
        unit="runs"
      />
      <PlainTable
        label="Models of this evaluation"
        least={760}
        heads={heads.map((head) =>
          definitions[head] === undefined ? head : <Term meaning={definitions[head]}>{head}</Term>,
        )}
        numeric={heads.map((_, at) => at).slice(1)}
        rows={evaluation.models.map(({ id, model }, index) => ({
          key: id,
          cells: cellsOf({
            name: names.get(id) ?? model,
            summary: summaries[index]?.data,
            vsBest: vsBestOf(id),
            notScored: verdict.data?.models.find(({ modelSettingsId }) => modelSettingsId === id)
              ?.counts.not_scored,
          }),
        }))}
      />
      {(deferrals.data ?? []).map((each) => (
        <Text key={each.deferred} size="sm" mt="xs">
          {deferralWords(each)}
        </Text>
      ))}
    </>
  );
}

const heads = [
  ...['Model', 'Pass rate', 'vs. best', 'Precision', 'Recall', 'F1'],
  ...['Not scored', 'Median time', 'Tokens in', 'Cost'],
];

const definitions: Readonly<Record<string, string>> = {
  'Pass rate': metricMeaning.passRate,
  Precision: metricMeaning.precision,
  Recall: metricMeaning.recall,
  F1: metricMeaning.f1,
  'vs. best':
    'Pass rate against the best model by the paired test over the cases that both scored, ' +
    'adjusted over all models. “Within noise”: the test can’t tell them apart.',
  'Not scored': metricMeaning.failed,
  'Median time': 'Median time per answer, without waits and retries.',
  'Tokens in':
    'Of all scored answers: measured by the provider, counted by its endpoint, or estimated.',
  Cost:
    'Cost of all answers at the prices when this evaluation started, without discounts.' +
    ' Unpriced if a price or a count is missing.',
};

interface RowProps {
  name: string;
  summary: EvaluationSummary | undefined;
  vsBest: VsBest | null;
  notScored: number | undefined;
}

function cellsOf({ name, summary, vsBest, notScored }: RowProps): ReactNode[] {
  const rate = (estimate: Estimate | undefined, unit: string, percent = false) =>
    estimate === undefined ? (
      NOT_DEFINED
    ) : (
      <>
        <EstimateText estimate={estimate} percent={percent} />{' '}
        <small>{counted(estimate.n, unit)}</small>
      </>
    );
  const { metrics, tokens, tokenSource, costUsd } = summary ?? {};
  return [
    // Not broken at its hyphens.
    <Foreign as="div" style={{ minWidth: 110 }} text={name} limit={200} />,
    rate(metrics?.passRate, 'run', true),
    vsBestText(vsBest),
    rate(metrics?.selectionPrecision, 'call'),
    rate(metrics?.selectionRecall, 'call'),
    rate(metrics?.selectionF1, 'call'),
    formatCount(notScored),
    formatDuration(summary?.latencyMs.p50),
    tokens?.input == null ? NOT_DEFINED : `${formatCount(tokens.input)} ${tokenSource ?? ''}`,
    costUsd === undefined ? NOT_DEFINED : costUsd === null ? 'price unknown' : formatUsd(costUsd),
  ];
}

function deferralWords(each: Deferral): string {
  const tokens =
    each.tokensSaved === null
      ? 'the tokens were not measured'
      : `it saves ${counted(each.tokensSaved, 'input token')} ` +
        `(${each.savingsPercentage === null ? NOT_DEFINED : formatShare(each.savingsPercentage / 100)} ` +
        `of ${formatCount(each.inputTokensAll)})`;
  return (
    `${each.label} with deferred tools: ${formatCount(each.changed)} of ` +
    `${formatCount(each.pairs)} selections changed, and ${tokens}.`
  );
}
