import type { RetrievalMetric } from '../../../src-shared/domain/retrieval.ts';
import type { RetrievalComparison } from '../../../src-shared/domain/retrievalRun.ts';
import { retrievalMetricTexts } from '../../../src-shared/display/retrievalMetricTexts.ts';
import { ChartFrame, DumbbellChart, LinesChart } from '../../ui/charts/ChartFrame.tsx';
import { formatInterval, formatRate, counted } from '../../../src-shared/display/numbers.ts';
import {
  differenceFinding,
  largestDifferences,
  recallAt,
  recallFinding,
  recallKs,
} from './retrievalFindings.ts';

export function RecallCurves({ comparison }: { comparison: RetrievalComparison }) {
  const { results } = comparison;
  const n = results[0]?.perQuery.length ?? 0;
  return (
    <ChartFrame
      title={recallFinding(results)}
      note={`Mean share of a query’s relevant tools among the first k, with 95% intervals; ${counted(n, 'query', 'queries')}.`}
      fileName="recall-at-k"
      height={320}
      table={{
        heads: ['Retriever', 'k', 'Recall', '95% interval', 'Queries'],
        numeric: [1, 2, 3, 4],
        rows: results.flatMap((result) =>
          recallKs.map((k) => {
            const { value, low, high, n: queries } = recallAt(result, k);
            return [
              result.retriever,
              String(k),
              formatRate(value),
              formatInterval(low, high),
              String(queries),
            ];
          }),
        ),
      }}
    >
      <LinesChart
        series={results.map((result) => ({
          name: result.retriever,
          points: recallKs.map((k) => {
            const { value, low, high } = recallAt(result, k);
            return { x: k, y: value, low, high };
          }),
        }))}
        xLabel="tools returned (k)"
        yLabel="recall@k"
        xTicks={recallKs}
        yRange={[0, 1]}
        formatY={formatRate}
      />
    </ChartFrame>
  );
}

interface DifferencesProps {
  comparison: RetrievalComparison;
  metric: RetrievalMetric;
  /** The place of the retriever that is compared with the first one. */
  against: number;
  onOpen: (query: string) => void;
}

const maxRows = 24;
const rowHeight = 21;

/** The queries on which two retrievers differ most, each with both values. */
export function QueryDifferences({ comparison, metric, against, onOpen }: DifferencesProps) {
  const [first, other] = [comparison.results[0], comparison.results[against]];
  if (!first || !other || against === 0) return null;
  const { rows, better, worse, same } = largestDifferences(comparison, metric, against);
  const { label } = retrievalMetricTexts[metric];
  const shown = rows.slice(0, maxRows);
  return (
    <ChartFrame
      title={differenceFinding(other.retriever, first.retriever, { better, worse, same })}
      note={
        `${label} per query. ${counted(better + worse + same, 'query', 'queries')}, ` +
        `${same} the same.` +
        (shown.length < rows.length
          ? ` Showing the ${maxRows} largest of ${rows.length} differences.`
          : '')
      }
      fileName="difference-per-query"
      height={Math.max(120, 64 + rowHeight * shown.length)}
      table={{
        heads: ['Query', first.retriever, `${other.retriever} (compared)`],
        numeric: [1, 2],
        rows: rows.map(({ name, values }) => [name, formatRate(values[0]), formatRate(values[1])]),
      }}
    >
      <DumbbellChart
        rows={shown}
        names={[first.retriever, other.retriever]}
        xLabel={label}
        xRange={[0, 1]}
        format={formatRate}
        onOpen={onOpen}
      />
    </ChartFrame>
  );
}
