import { Bar, BarChart, CartesianGrid, Tooltip, XAxis, YAxis } from 'recharts';
import { seriesInk } from '../seriesStyle.tsx';
import { grid, noMotion, xAxis, xTitle, yAxis, yTitle } from './axes.ts';
import { Plot, Readout, readoutOf } from './Readout.tsx';

export interface HistogramProps {
  /** The labels of the bins, in order. */
  bins: readonly string[];
  /** One per group of bars: the share of its values in each bin, and how many. */
  series: readonly { name: string; shares: readonly number[]; counts: readonly number[] }[];
  xLabel: string;
  yLabel: string;
  format: (share: number) => string;
}

/** How values spread over bins, as shares, so that series of different sizes compare. */
export default function HistogramDrawing({ bins, series, ...labels }: HistogramProps) {
  const data = bins.map((name, bin) => ({
    name,
    shares: series.map(({ shares }) => shares[bin] ?? 0),
    counts: series.map(({ counts }) => counts[bin] ?? 0),
  }));
  return (
    <Plot names={series.map(({ name }) => name)}>
      <BarChart
        data={data}
        margin={{ top: 12, right: 16, bottom: 14, left: 4 }}
        barCategoryGap={2}
        barGap={1}
      >
        <CartesianGrid {...grid} />
        <XAxis dataKey="name" {...xAxis} label={xTitle(labels.xLabel)} />
        <YAxis tickFormatter={labels.format} {...yAxis} width={62} label={yTitle(labels.yLabel)} />
        <Tooltip
          {...readoutOf({ fill: 'var(--ts-hover)' }, (row: (typeof data)[number]) => (
            <Readout
              head={`${row.name} ${labels.xLabel}`}
              lines={series.map(({ name }, at) => ({
                text: `${name}: ${labels.format(row.shares[at] ?? 0)} (${row.counts[at] ?? 0})`,
                ink: seriesInk(at),
              }))}
            />
          ))}
        />
        {series.map(({ name }, at) => (
          <Bar
            key={name}
            name={name}
            dataKey={(row: (typeof data)[number]) => row.shares[at] ?? 0}
            fill={seriesInk(at)}
            {...noMotion}
          />
        ))}
      </BarChart>
    </Plot>
  );
}
