import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import classes from '../charts.module.css';
import { Legend, seriesInk } from '../seriesStyle.tsx';
import { axisLine, grid, noMotion, tick, xTitle, yTitle } from './axes.ts';
import { Readout } from './Readout.tsx';

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
    <>
      <div className={classes.plot}>
        <ResponsiveContainer width="100%" height="100%">
          <BarChart
            data={data}
            margin={{ top: 12, right: 16, bottom: 14, left: 4 }}
            barCategoryGap={2}
            barGap={1}
          >
            <CartesianGrid {...grid} />
            <XAxis
              dataKey="name"
              tick={tick}
              tickLine={false}
              axisLine={axisLine}
              label={xTitle(labels.xLabel)}
            />
            <YAxis
              tickFormatter={labels.format}
              tick={tick}
              tickLine={false}
              axisLine={false}
              width={62}
              label={yTitle(labels.yLabel)}
            />
            <Tooltip
              cursor={{ fill: 'var(--ts-hover)' }}
              content={({ payload }) => {
                const row = payload[0]?.payload as (typeof data)[number] | undefined;
                return row ? (
                  <Readout
                    head={`${row.name} ${labels.xLabel}`}
                    lines={series.map(({ name }, at) => ({
                      text: `${name}: ${labels.format(row.shares[at] ?? 0)} (${row.counts[at] ?? 0})`,
                      ink: seriesInk(at),
                    }))}
                  />
                ) : null;
              }}
              {...noMotion}
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
        </ResponsiveContainer>
      </div>
      {series.length > 1 && (
        <Legend names={series.map(({ name }) => name)} className={classes.legend ?? ''} />
      )}
    </>
  );
}
