import { Action } from '../../ui/fields/controls.tsx';
import { formatDecimal, formatSigned } from '../../../src-shared/display/numbers.ts';
import { NumberInput } from '@mantine/core';
import { useState } from 'react';
import {
  retrievalMetrics,
  type MetricValues,
  type RetrievalMetric,
  type Tolerances,
} from '../../../src-shared/domain/retrieval.ts';
import type {
  RetrievalComparison,
  RetrievalDatasets,
  RetrieverSpec,
} from '../../../src-shared/domain/retrievalRun.ts';
import {
  differenceFromBaseline,
  checkRetrievalGate,
  toBaselineValues,
} from '../../../src-shared/metrics/retrievalScore.ts';
import { useApi } from '../../api/index.ts';
import { Term } from '../../ui/text/Term.tsx';
import { Section } from '../../ui/panels/panels.tsx';
import { StatusBadge } from '../../ui/badges/StatusBadge.tsx';
import { showDone, useAct } from '../../ui/notices/notices.tsx';
import { retrievalMetricTexts } from '../../../src-shared/display/retrievalMetricTexts.ts';
import { useDatasetActions } from './useDatasetActions.ts';
import classes from './retrieval.module.css';

interface BaselineGateProps {
  comparison: RetrievalComparison;
  first: RetrieverSpec;
  baseline: RetrievalDatasets['baselines'][number] | null;
  lenient: boolean;
}

const usual: Tolerances = { recall_at_5: 0.02, mrr: 0.02, ndcg_at_10: 0.02, map: 0.02 };

/**
 * The first retriever against a reference: the change of each metric, whether the gate passes, and
 * saving a new reference.
 */
export function BaselineGate({ comparison, first, baseline, lenient }: BaselineGateProps) {
  const { client } = useApi();
  const { refresh } = useDatasetActions();
  const [edited, setEdited] = useState<Tolerances | null>(null);
  const tolerance = edited ?? baseline?.baseline.tolerance ?? usual;
  const { corpusVersion: corpus, goldenVersion: golden } = comparison;
  const save = useAct(
    () => client.retrieval.saveBaseline({ corpus, golden, retriever: first, lenient, tolerance }),
    {
      onSuccess: async ({ version }) => {
        await refresh();
        showDone(`Saved as ${version}.`);
      },
    },
  );
  const [result] = comparison.results;
  if (!result) return null;
  const values = Object.fromEntries(
    retrievalMetrics.map((metric) => [metric, result.metrics[metric].value ?? 0]),
  ) as MetricValues;
  const reference = baseline ? toBaselineValues(baseline.baseline) : {};
  const delta = differenceFromBaseline(values, reference);
  const verdict = baseline ? checkRetrievalGate(values, reference, tolerance) : null;
  const setTolerance = (metric: RetrievalMetric, value: number | string): void => {
    const { [metric]: _before, ...rest } = tolerance;
    setEdited(value === '' ? rest : { ...rest, [metric]: Math.max(0, Number(value)) });
  };
  return (
    <Section
      title={
        baseline ? `${result.retriever} vs. ${baseline.version}` : `Gate of ${result.retriever}`
      }
      aside={
        <>
          {verdict && (
            <StatusBadge
              tone={verdict.passed ? 'good' : 'bad'}
              label={
                verdict.passed
                  ? 'Gate passed'
                  : 'Gate failed: ' +
                    verdict.failed.map((metric) => retrievalMetricTexts[metric].label).join(', ')
              }
            />
          )}
          <Action label="Save as new baseline" small run={save} />
        </>
      }
    >
      <div className={classes.gate}>
        {retrievalMetrics.map((metric) => {
          const moved = delta[metric];
          const failed = verdict?.failed.includes(metric) ?? false;
          return (
            <div key={metric}>
              <NumberInput
                w={120}
                size="xs"
                label={
                  <Term meaning="How far this metric may fall below the baseline. Leave empty for no gate.">
                    {retrievalMetricTexts[metric].label}
                  </Term>
                }
                aria-label={`Tolerance of ${retrievalMetricTexts[metric].label}`}
                placeholder="no gate"
                min={0}
                max={1}
                step={0.01}
                decimalScale={4}
                value={tolerance[metric] ?? ''}
                onChange={(value) => setTolerance(metric, value)}
              />
              <span className={classes.second} data-tone={failed ? 'bad' : undefined}>
                {baseline
                  ? moved === undefined
                    ? '– not in the baseline'
                    : `${failed ? '▼ ' : ''}${formatSigned(moved)} from ` +
                      formatDecimal(values[metric] - moved, 3)
                  : 'tolerance'}
              </span>
            </div>
          );
        })}
      </div>
    </Section>
  );
}
