import {
  Bar,
  BarChart,
  CartesianGrid,
  ErrorBar,
  LabelList,
  ReferenceLine,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { visibleText } from '../../text/Foreign.tsx';
import { errorOf } from '../chartData.ts';
import { evenTicks } from '../evenTicks.ts';
import { grid, noMotion, rowAxis, xAxis, xTitle } from './axes.ts';
import { Plot, Readout, readoutOf } from './Readout.tsx';

interface BarRow {
  name: string;
  value: number;
  /** The ends of the interval, drawn as an error bar. */
  low?: number | null;
  high?: number | null;
  /** One more line in the readout. */
  note?: string;
  /** True draws the bar in the color of a warning. */
  warns?: boolean;
}

export interface BarsProps {
  rows: readonly BarRow[];
  xLabel: string;
  format: (value: number) => string;
  xRange?: readonly [number, number];
  /** True if only whole numbers make sense on the axis. */
  wholeTicks?: boolean;
  /** A vertical line with its meaning. */
  reference?: { x: number; label: string };
}

const maxName = 26;

/** One horizontal bar per row, with its number at the end and its interval, if it has one. */
export default function BarsDrawing(props: BarsProps) {
  const { rows, xLabel, format, xRange, wholeTicks = false, reference } = props;
  const data = rows.map((row, at) => ({
    ...row,
    key: at,
    error: errorOf({ x: 0, y: row.value, low: row.low ?? null, high: row.high ?? null }),
    fill: row.warns === true ? 'var(--ts-wrong-tool-ink)' : 'var(--ts-heat)',
    text: format(row.value),
  }));
  const hasErrors = data.some(({ error }) => error !== null);
  const longest = Math.max(4, ...rows.map(({ name }) => Math.min(maxName, name.length)));
  return (
    <Plot>
      <BarChart
        data={data}
        layout="vertical"
        margin={{ top: reference ? 18 : 6, right: 56, bottom: 16, left: 4 }}
        barCategoryGap="28%"
      >
        <CartesianGrid {...grid} horizontal={false} vertical />
        <XAxis
          type="number"
          allowDecimals={!wholeTicks}
          domain={xRange ? [...xRange] : [0, 'auto']}
          {...(xRange ? { ticks: evenTicks(xRange, wholeTicks) } : {})}
          tickFormatter={format}
          {...xAxis}
          label={xTitle(xLabel)}
        />
        <YAxis {...rowAxis(rows, maxName)} width={26 + 6.8 * longest} />
        {reference && (
          <ReferenceLine
            x={reference.x}
            stroke="var(--ts-ink)"
            strokeWidth={1.5}
            label={{ value: reference.label, position: 'top', fill: 'var(--ts-ink-muted)' }}
          />
        )}
        <Tooltip
          {...readoutOf({ fill: 'var(--ts-hover)' }, (row: (typeof data)[number]) => (
            <RowReadout row={row} format={format} />
          ))}
        />
        <Bar dataKey="value" radius={2} maxBarSize={18} {...noMotion}>
          {hasErrors ? (
            <ErrorBar
              dataKey={(row: (typeof data)[number]) => row.error ?? [0, 0]}
              direction="x"
              width={5}
              stroke="var(--ts-ink)"
              strokeWidth={1.4}
              {...noMotion}
            />
          ) : (
            <LabelList dataKey="text" position="right" fill="var(--ts-ink)" />
          )}
        </Bar>
      </BarChart>
    </Plot>
  );
}

function RowReadout({ row, format }: { row: BarRow; format: (value: number) => string }) {
  const range =
    row.low == null || row.high == null ? '' : ` (${format(row.low)}–${format(row.high)})`;
  return (
    <Readout
      head={visibleText(row.name)}
      lines={[
        { text: `${format(row.value)}${range}` },
        ...(row.note === undefined ? [] : [{ text: row.note }]),
      ]}
    />
  );
}
