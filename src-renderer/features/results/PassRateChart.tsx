import type { Answer } from '../../../src-shared/domain/comparison.ts';
import type { Estimate } from '../../../src-shared/domain/metrics.ts';
import { BarsChart, ChartFrame } from '../../ui/charts/ChartFrame.tsx';
import { formatCount, formatPercent } from '../../../src-shared/display/numbers.ts';
import classes from './evaluations.module.css';
import { passRateFinding } from './result/case/tabFindings.ts';

export interface NamedRate {
  name: string;
  rate: Pick<Estimate, 'value' | 'low' | 'high' | 'n'>;
  /** What the paired test says of it against the best one; absent: the two were not tested. */
  vsBest?: Answer | undefined;
}

interface PassRateChartProps {
  rates: readonly NamedRate[];
  /** What n counts, in the plural. */
  unit: string;
  rateName?: 'Pass rate' | 'Success rate';
}

/** Pass rates with their intervals, so that a difference within noise looks like one. */
export function PassRateChart({ rates, unit, rateName = 'Pass rate' }: PassRateChartProps) {
  const known = rates.flatMap(({ name, rate, vsBest }) =>
    rate.value === null ? [] : [{ name, ...rate, value: rate.value, vsBest }],
  );
  if (known.length < 2) return null;
  return (
    <div className={classes.chart}>
      <ChartFrame
        title={passRateFinding(known, rateName)}
        note={`${rateName}s with 95% intervals; n in ${unit}.`}
        fileName="pass-rate"
        height={64 + 38 * known.length}
        table={{
          heads: ['Model', rateName, 'Low', 'High', 'n'],
          numeric: [1, 2, 3, 4],
          rows: known.map(({ name, value, low, high, n }) => [
            name,
            formatPercent(value),
            formatPercent(low),
            formatPercent(high),
            formatCount(n),
          ]),
        }}
      >
        <BarsChart
          rows={known.map(({ name, value, low, high, n }) => ({
            name,
            value,
            low,
            high,
            note: `n ${formatCount(n)} ${unit}`,
          }))}
          xLabel={rateName.toLowerCase()}
          xRange={[0, 1]}
          format={formatPercent}
        />
      </ChartFrame>
    </div>
  );
}
