import { EstimateText } from '../../../../ui/estimate/EstimateTile.tsx';
import { Text } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import type { Evaluation, EvaluationSummary } from '../../../../../src-shared/domain/evaluation.ts';
import type { Estimate } from '../../../../../src-shared/domain/metrics.ts';
import type { Deferral } from '../../../../../src-shared/domain/modelService.ts';
import { hasEnded } from '../../../../../src-shared/domain/evaluationState.ts';
import { vsBestText } from '../../../../../src-shared/display/verdictTexts.ts';
import type { VsBest } from '../../../../../src-shared/domain/verdict.ts';
import { useApi } from '../../../../api/index.ts';
import { Term } from '../../../../ui/text/Term.tsx';
import {
  NOT_DEFINED,
  formatCount,
  formatDuration,
  formatShare,
  formatUsd,
  counted,
} from '../../../../../src-shared/display/numbers.ts';
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
  const verdict = useQuery(
    queries.results.verdict.queryOptions({
      input: { id: evaluation.id },
      enabled: several && ended,
    }),
  );
  const deferrals = useQuery(
    queries.models.deferrals.queryOptions({
      input: { evaluationId: evaluation.id },
      enabled: several && ended && evaluation.models.some(({ deferTools }) => deferTools),
    }),
  );
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
      <div
        className="ts-panel"
        style={{ overflowX: 'auto', padding: '8px 16px', marginBottom: 12 }}
        role="region"
        aria-label="Models of this evaluation"
        tabIndex={0}
      >
        <table style={{ width: '100%', fontSize: 13, borderCollapse: 'collapse' }}>
          <thead>
            <tr>
              {[
                'Model',
                'Pass rate',
                'vs. best',
                'Precision',
                'Recall',
                'F1',
                'Not scored',
                'Median time',
                'Tokens in',
                'Cost',
              ].map((head, index) => (
                <th
                  key={head}
                  align={index === 0 ? 'left' : 'right'}
                  style={{ padding: '4px 8px' }}
                >
                  {definitions[head] === undefined ? (
                    head
                  ) : (
                    <Term meaning={definitions[head]}>{head}</Term>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {evaluation.models.map((model, index) => (
              <Row
                key={model.id}
                name={names.get(model.id) ?? model.model}
                summary={summaries[index]?.data}
                vsBest={vsBestOf(model.id)}
                notScored={
                  verdict.data?.models.find(({ modelSettingsId }) => modelSettingsId === model.id)
                    ?.counts.not_scored
                }
              />
            ))}
          </tbody>
        </table>
        {(deferrals.data ?? []).map((each) => (
          <Text key={each.deferred} size="sm" mt="xs">
            {deferralWords(each)}
          </Text>
        ))}
      </div>
    </>
  );
}

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

function Row({ name, summary, vsBest, notScored }: RowProps) {
  const rate = (estimate: Estimate | undefined, unit: string, percent = false) => (
    <td align="right" style={{ padding: '4px 8px' }}>
      {estimate === undefined ? (
        NOT_DEFINED
      ) : (
        <EstimateText estimate={estimate} percent={percent} />
      )}{' '}
      <small>{estimate === undefined ? '' : counted(estimate.n, unit)}</small>
    </td>
  );
  const cell = (text: string) => (
    <td align="right" className="ts-number" style={{ padding: '4px 8px' }}>
      {text}
    </td>
  );
  return (
    <tr>
      <td style={{ padding: '4px 8px' }}>
        <Foreign text={name} limit={200} />
      </td>
      {rate(summary?.metrics.passRate, 'run', true)}
      {cell(vsBestText(vsBest))}
      {rate(summary?.metrics.selectionPrecision, 'call')}
      {rate(summary?.metrics.selectionRecall, 'call')}
      {rate(summary?.metrics.selectionF1, 'call')}
      {cell(formatCount(notScored))}
      {cell(formatDuration(summary?.latencyMs.p50))}
      {cell(
        summary?.tokens.input == null
          ? NOT_DEFINED
          : `${formatCount(summary.tokens.input)} ${summary.tokenSource ?? ''}`,
      )}
      {cell(
        summary === undefined
          ? NOT_DEFINED
          : summary.costUsd === null
            ? 'unpriced'
            : formatUsd(summary.costUsd),
      )}
    </tr>
  );
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
