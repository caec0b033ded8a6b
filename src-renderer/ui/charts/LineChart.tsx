import { useId } from 'react';
import classes from './LineChart.module.css';
import { niceTicks } from './niceTicks.ts';

export interface ChartPoint {
  x: number;
  y: number;
  /** The ends of the interval, drawn as an error bar. */
  low?: number | null;
  high?: number | null;
  label: string;
}

export interface ChartSeries {
  name: string;
  points: readonly ChartPoint[];
}

interface LineChartProps {
  /** A description of the chart for screen readers; a table next to it holds the same numbers. */
  label: string;
  series: readonly ChartSeries[];
  xLabel: string;
  yLabel: string;
  /** Bounds of the axis; by default those of the points. */
  xRange?: readonly [number, number];
  yRange?: readonly [number, number];
  formatX?: (value: number) => string;
  formatY?: (value: number) => string;
}

const [width, height] = [760, 320];
const edge = { left: 58, right: 30, top: 16, bottom: 44 };
/** Color-blind-safe, each with a shape of its own. */
const inks = [
  'var(--ts-tp-ink)',
  'var(--ts-fn-ink)',
  'var(--ts-tn-ink)',
  'var(--ts-phantom-ink)',
  'var(--ts-fp-ink)',
  'var(--ts-failed-ink)',
];

/** A line chart with intervals. Color and shape tell the series apart. */
export function LineChart({
  label,
  series,
  xLabel,
  yLabel,
  xRange,
  yRange,
  formatX = String,
  formatY = String,
}: LineChartProps) {
  const id = useId();
  const points = series.flatMap((each) => each.points);
  const xs = niceTicks(xRange?.[0] ?? 0, xRange?.[1] ?? Math.max(1, ...points.map(({ x }) => x)));
  const ys = niceTicks(yRange?.[0] ?? 0, yRange?.[1] ?? Math.max(1, ...points.map(({ y }) => y)));
  const [xEnd, yStart, yEnd] = [xs.at(-1) ?? 1, ys[0] ?? 0, ys.at(-1) ?? 1];
  const toX = (value: number): number =>
    edge.left + (value / xEnd) * (width - edge.left - edge.right);
  const toY = (value: number): number =>
    height - edge.bottom - ((value - yStart) / (yEnd - yStart)) * (height - edge.top - edge.bottom);
  return (
    <figure style={{ margin: 0 }}>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        className={classes.chart}
        role="img"
        aria-labelledby={id}
      >
        <title id={id}>{label}</title>
        {ys.map((tick) => (
          <g key={tick}>
            <line
              className={classes.grid}
              x1={edge.left}
              x2={width - edge.right}
              y1={toY(tick)}
              y2={toY(tick)}
            />
            <text className={classes.text} x={edge.left - 8} y={toY(tick) + 4} textAnchor="end">
              {formatY(tick)}
            </text>
          </g>
        ))}
        <line
          className={classes.axis}
          x1={edge.left}
          x2={width - edge.right}
          y1={toY(yStart)}
          y2={toY(yStart)}
        />
        {xs.map((tick) => (
          <text
            key={tick}
            className={classes.text}
            x={toX(tick)}
            y={height - edge.bottom + 18}
            textAnchor="middle"
          >
            {formatX(tick)}
          </text>
        ))}
        <text
          className={classes.text}
          x={(edge.left + width - edge.right) / 2}
          y={height - 6}
          textAnchor="middle"
        >
          {xLabel}
        </text>
        <text
          className={classes.text}
          x={14}
          y={height / 2}
          textAnchor="middle"
          transform={`rotate(-90 14 ${height / 2})`}
        >
          {yLabel}
        </text>
        {series.map(({ name, points: own }, at) => (
          <g key={name} stroke={inks[at % inks.length]} fill={inks[at % inks.length]}>
            <polyline
              fill="none"
              strokeWidth={2}
              points={own.map(({ x, y }) => `${toX(x)},${toY(y)}`).join(' ')}
            />
            {own.map((point) => (
              <g key={`${point.x} ${point.y}`}>
                {point.low != null && point.high != null && (
                  <line
                    strokeWidth={1.2}
                    opacity={0.7}
                    x1={toX(point.x)}
                    x2={toX(point.x)}
                    y1={toY(Math.max(yStart, point.low))}
                    y2={toY(Math.min(yEnd, point.high))}
                  />
                )}
                <Mark kind={at} x={toX(point.x)} y={toY(point.y)} />
                <text
                  className={classes.point}
                  stroke="none"
                  x={toX(point.x) + 7}
                  y={toY(point.y) + (at % 2 === 0 ? -8 : 16)}
                >
                  {point.label}
                </text>
              </g>
            ))}
          </g>
        ))}
      </svg>
      <figcaption className={classes.legend}>
        {series.map(({ name }, at) => (
          <span key={name}>
            <svg
              width={14}
              height={14}
              aria-hidden
              stroke={inks[at % inks.length]}
              fill={inks[at % inks.length]}
            >
              <Mark kind={at} x={7} y={7} />
            </svg>
            {name}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

function Mark({ kind, x, y }: { kind: number; x: number; y: number }) {
  switch (kind % 4) {
    case 0:
      return <circle cx={x} cy={y} r={4} />;
    case 1:
      return <rect x={x - 3.5} y={y - 3.5} width={7} height={7} />;
    case 2:
      return <path d={`M${x} ${y - 5} L${x + 5} ${y + 4} L${x - 5} ${y + 4} Z`} />;
    default:
      return <path d={`M${x} ${y - 5} L${x + 5} ${y} L${x} ${y + 5} L${x - 5} ${y} Z`} />;
  }
}
