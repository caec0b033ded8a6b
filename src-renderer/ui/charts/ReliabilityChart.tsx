import { scale } from './chartScale.ts';
import classes from './charts.module.css';

export interface ReliabilityBar {
  low: number;
  high: number;
  n: number;
  /** The share of correct choices; null for an empty bin. */
  right: number | null;
  confidence: number | null;
}

const size = { width: 380, height: 280 };
const edge = { left: 44, right: 12, top: 12, bottom: 44 };

/**
 * The share of correct choices by confidence. On the dashed line confidence equals accuracy; each
 * bar shows its n.
 */
export function ReliabilityChart({
  label,
  bars,
}: {
  label: string;
  bars: readonly ReliabilityBar[];
}) {
  const x = scale([0, 1], [edge.left, size.width - edge.right]);
  const y = scale([0, 1], [size.height - edge.bottom, edge.top]);
  return (
    <svg
      width={size.width}
      height={size.height}
      role="img"
      aria-label={label}
      className={classes.reliability}
    >
      {[0, 0.25, 0.5, 0.75, 1].map((tick) => (
        <g key={tick}>
          <line
            className={classes.grid}
            x1={edge.left}
            x2={size.width - edge.right}
            y1={y(tick)}
            y2={y(tick)}
          />
          <text className={classes.tick} x={edge.left - 8} y={y(tick) + 4} textAnchor="end">
            {tick.toFixed(2)}
          </text>
          <text
            className={classes.tick}
            x={x(tick)}
            y={size.height - edge.bottom + 16}
            textAnchor="middle"
          >
            {tick.toFixed(2)}
          </text>
        </g>
      ))}
      {bars.map(({ low, high, n, right, confidence }) => (
        <g key={low}>
          <title>
            {n === 0
              ? `Confidence ${low.toFixed(1)}–${high.toFixed(1)}: no run`
              : `Confidence ${low.toFixed(1)}–${high.toFixed(1)}: ` +
                `${((right ?? 0) * 100).toFixed(0)} % of ${n} right, mean confidence ` +
                (confidence ?? 0).toFixed(2)}
          </title>
          <rect
            className={classes.bar}
            x={x(low) + 1}
            width={Math.max(0, x(high) - x(low) - 2)}
            y={right === null ? y(0) : y(right)}
            height={right === null ? 0 : y(0) - y(right)}
          />
          {right !== null && confidence !== null && (
            <line
              className={classes.mean}
              x1={x(confidence)}
              x2={x(confidence)}
              y1={y(right) - 6}
              y2={y(right) + 6}
            />
          )}
          <text
            className={classes.count}
            x={(x(low) + x(high)) / 2}
            y={right === null || right < 0.12 ? y(right ?? 0) - 5 : y(right) + 14}
            textAnchor="middle"
            data-inside={(right !== null && right >= 0.12) || undefined}
          >
            {n}
          </text>
        </g>
      ))}
      <line className={classes.ideal} x1={x(0)} y1={y(0)} x2={x(1)} y2={y(1)} />
      <text
        className={classes.tick}
        x={(edge.left + size.width - edge.right) / 2}
        y={size.height - 8}
        textAnchor="middle"
      >
        confidence
      </text>
    </svg>
  );
}
