import {
  CartesianGrid,
  ComposedChart,
  ErrorBar,
  Line,
  ReferenceLine,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { errorOf, mergeSeries, type ChartRow, type ChartSeries } from '../chartData.ts';
import classes from '../charts.module.css';
import { evenTicks } from '../evenTicks.ts';
import { SeriesShape, seriesInk } from '../seriesStyle.tsx';
import { grid, noMotion, xAxis, xTitle, yAxis, yTitle } from './axes.ts';
import { Plot, Readout, readoutOf } from './Readout.tsx';

export interface LinesProps {
  series: readonly ChartSeries[];
  xLabel?: string;
  yLabel?: string;
  xRange?: readonly [number, number];
  yRange?: readonly [number, number];
  /** The positions that get a label; by default round ones at equal distances. */
  xTicks?: readonly number[];
  formatX?: (value: number) => string;
  formatY?: (value: number) => string;
  /** Vertical lines: what changed at a position. */
  markers?: readonly { x: number; label: string }[];
  /** A line from the lowest to the highest corner, for what is ideal. */
  diagonal?: boolean;
  /** False draws points only. */
  connect?: boolean;
  /** Called with the `to` of a point that is opened. */
  onOpen?: (to: string) => void;
}

/** Lines with intervals and points that can be opened. Shape and color tell the series apart. */
export default function LinesDrawing(props: LinesProps) {
  const { series, xLabel, yLabel, xRange, yRange, xTicks } = props;
  const { formatX = String, formatY = String, markers = [], diagonal = false } = props;
  const rows = mergeSeries(series);
  const ends = [rows.at(0)?.x ?? 0, rows.at(-1)?.x ?? 0] as const;
  const isWhole = rows.every(({ x }) => Number.isInteger(x));
  const middle = (ends[0] + ends[1]) / 2;
  return (
    <Plot names={series.map(({ name }) => name)}>
      <ComposedChart
        data={rows}
        margin={{ top: 16, right: 24, bottom: xLabel === undefined ? 0 : 14, left: 4 }}
      >
        <CartesianGrid {...grid} />
        <XAxis
          dataKey="x"
          type="number"
          domain={xRange ? [...xRange] : ['dataMin', 'dataMax']}
          ticks={xTicks ? [...xTicks] : xRange ? evenTicks(xRange) : evenTicks(ends, isWhole)}
          interval="preserveStartEnd"
          tickFormatter={formatX}
          {...xAxis}
          padding={{ left: 14, right: 14 }}
          {...(xLabel === undefined ? {} : { label: xTitle(xLabel) })}
        />
        <YAxis
          domain={yRange ? [...yRange] : [0, 'auto']}
          {...(yRange ? { ticks: evenTicks(yRange) } : {})}
          tickFormatter={formatY}
          {...yAxis}
          width={yLabel === undefined ? 44 : 62}
          {...(yLabel === undefined ? {} : { label: yTitle(yLabel) })}
        />
        {diagonal && (
          <ReferenceLine
            segment={[
              { x: xRange?.[0] ?? 0, y: yRange?.[0] ?? 0 },
              { x: xRange?.[1] ?? 1, y: yRange?.[1] ?? 1 },
            ]}
            stroke="var(--ts-ink-muted)"
            strokeDasharray="5 4"
          />
        )}
        {markers.map(({ x, label }) => (
          <ReferenceLine
            key={x}
            x={x}
            stroke="var(--ts-no-tool-ink)"
            strokeDasharray="4 4"
            label={{
              value: label,
              // The label of a late marker would leave the chart at the right edge.
              position: x > middle ? 'insideTopRight' : 'insideTopLeft',
              fill: 'var(--ts-no-tool-ink)',
              fontSize: 11.5,
            }}
          />
        ))}
        <Tooltip
          {...readoutOf(
            { stroke: 'var(--ts-line-strong)', strokeDasharray: '3 3' },
            (row: ChartRow) => <RowReadout row={row} {...props} />,
          )}
        />
        {series.map(({ name, points, connect = props.connect }, at) => (
          <Line
            key={name}
            name={name}
            dataKey={(row: ChartRow) => row.points[at]?.y ?? null}
            stroke={connect === false ? 'none' : seriesInk(at)}
            strokeWidth={2}
            connectNulls={series.length > 1}
            dot={({ cx, cy, payload }: DotProps) => (
              <Dot
                key={payload.x}
                {...{ at, cx, cy, payload, name, isLast: payload.x === rows.at(-1)?.x }}
                {...props}
              />
            )}
            activeDot={false}
            {...noMotion}
          >
            {points.some((point) => errorOf(point) !== null) && (
              <ErrorBar
                dataKey={(row: ChartRow) => errorOf(row.points[at]) ?? [0, 0]}
                width={4}
                stroke={seriesInk(at)}
                strokeWidth={1.2}
                opacity={0.6}
                {...noMotion}
              />
            )}
          </Line>
        ))}
      </ComposedChart>
    </Plot>
  );
}

interface DotProps {
  cx?: number | undefined;
  cy?: number | null | undefined;
  payload: ChartRow;
}

function Dot(props: DotProps & LinesProps & { at: number; name: string; isLast: boolean }) {
  const { at, cx, cy, payload, name, formatY = String, onOpen, isLast } = props;
  const point = payload.points[at];
  if (!point || point.corner === true || cx === undefined || cy == null || point.y === null)
    return null;
  const { to, label, y } = point;
  const shape = (
    <>
      <g fill={seriesInk(at)}>
        <SeriesShape at={at} x={cx} y={cy} />
      </g>
      {label !== undefined && label !== '' && (
        <text
          x={isLast ? cx : cx + 7}
          y={cy + (at % 2 === 0 ? -8 : 16)}
          // Beside the last point there is no room for it.
          textAnchor={isLast ? 'middle' : 'start'}
          fill="var(--ts-ink)"
        >
          {label}
        </text>
      )}
    </>
  );
  if (to === undefined || onOpen === undefined) return <g>{shape}</g>;
  const open = (): void => onOpen(to);
  return (
    <g
      className={classes.link}
      role="link"
      tabIndex={0}
      aria-label={[`${name}: ${formatY(y)}`, label, point.note].filter(Boolean).join(', ')}
      onClick={open}
      onKeyDown={(event) => {
        if (event.key === 'Enter') open();
      }}
    >
      {shape}
      <circle cx={cx} cy={cy} r={12} fill="transparent" />
    </g>
  );
}

function RowReadout(props: LinesProps & { row: ChartRow }) {
  const { row, series, xLabel, formatX = String, formatY = String } = props;
  const lines = row.points.flatMap((point, at) => {
    if (!point) return [];
    const range =
      point.low == null || point.high == null
        ? ''
        : ` (${formatY(point.low)}–${formatY(point.high)})`;
    const value = point.y === null ? '–' : `${formatY(point.y)}${range}`;
    const name = series.length > 1 ? `${series[at]?.name ?? ''}: ` : '';
    return [
      { text: `${name}${value}`, ink: seriesInk(at) },
      ...(point.note === undefined ? [] : [{ text: point.note }]),
    ];
  });
  return (
    <Readout head={`${formatX(row.x)}${xLabel === undefined ? '' : ` ${xLabel}`}`} lines={lines} />
  );
}
