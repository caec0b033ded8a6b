import { useQuery } from '@tanstack/react-query';
import type { Evaluation } from '../../../../../src-shared/domain/evaluation.ts';
import { useApi } from '../../../../api/index.ts';
import { ChartFrame } from '../../../../ui/charts/ChartFrame.tsx';
import { HistogramChart } from '../../../../ui/charts/lazyCharts.ts';
import {
  formatCount,
  formatDuration,
  formatPercent,
  counted,
} from '../../../../../src-shared/display/numbers.ts';
import { Loaded } from '../../../../ui/notices/Loaded.tsx';
import classes from '../../evaluations.module.css';
import { nameModels } from '../../modelNames.ts';
import { latencyFinding, shownBins } from './tabFindings.ts';

/** How long the answers of each model took: most are fast, a few are many times slower. */
export function LatencyChart({ evaluation }: { evaluation: Evaluation }) {
  const { queries } = useApi();
  const latencies = useQuery(
    queries.results.latencies.queryOptions({ input: { id: evaluation.id } }),
  );
  const names = nameModels(evaluation.models);
  return (
    <Loaded query={latencies} blocks={[300]} label="Loading latencies">
      {(models) => {
        const timed = models.filter(({ n }) => n > 0);
        const bins = shownBins(timed);
        if (timed.length === 0) return null;
        const nameOf = (id: string): string => names.get(id) ?? id;
        return (
          <div className={classes.chart}>
            <ChartFrame
              title={latencyFinding(timed, nameOf)}
              note={`Share of ${counted(
                timed.reduce((sum, { n }) => sum + n, 0),
                'scored run',
              )} by time to answer, without waits and retries. Bins grow with the time.`}
              fileName="latency"
              height={280}
              table={{
                columns: [
                  { label: 'Time to answer' },
                  ...timed.map(({ modelSettingsId }) => ({
                    label: nameOf(modelSettingsId),
                    numeric: true,
                  })),
                ],
                rows: [
                  ...bins.map(({ label, at }) => [
                    label,
                    ...timed.map(({ counts }) => formatCount(counts[at] ?? 0)),
                  ]),
                  ['p50', ...timed.map(({ p50 }) => formatDuration(p50))],
                  ['p95', ...timed.map(({ p95 }) => formatDuration(p95))],
                ],
              }}
            >
              <HistogramChart
                bins={bins.map(({ label }) => label)}
                series={timed.map(({ modelSettingsId, counts, n }) => ({
                  name: nameOf(modelSettingsId),
                  counts: bins.map(({ at }) => counts[at] ?? 0),
                  shares: bins.map(({ at }) => (counts[at] ?? 0) / n),
                }))}
                xLabel="time to answer"
                yLabel="share of runs"
                format={formatPercent}
              />
            </ChartFrame>
          </div>
        );
      }}
    </Loaded>
  );
}
