import { useElementSize } from '@mantine/hooks';
import { bands, brokenLine, scale } from './chartScale.ts';
import classes from './charts.module.css';

export interface TrendValue {
  key: string;
  /** The label under the axis: `#14`. */
  label: string;
  /** Shown on hover, and read by screen readers. */
  title: string;
  value: number | null;
  low: number | null;
  high: number | null;
  /** A change at this point, in words; null without one. */
  mark: string | null;
}

interface TrendChartProps {
  label: string;
  values: readonly TrendValue[];
  selected: string | null;
  onOpen: (key: string) => void;
}

const height = 260;
const edge = { left: 44, right: 16, top: 22, bottom: 30 };

/** Values between 0 and 1 in order, each with its interval; a dashed line marks a change. */
export function TrendChart({ label, values, selected, onOpen }: TrendChartProps) {
  const { ref, width: measured } = useElementSize();
  const width = Math.max(320, measured);
  const x = scale([0, Math.max(1, values.length - 1)], [edge.left + 12, width - edge.right - 12]);
  const y = scale([0, 1], [height - edge.bottom, edge.top]);
  const places = values.map((one, at) => ({ ...one, x: values.length === 1 ? width / 2 : x(at) }));
  const every = Math.max(1, Math.ceil((values.length * 44) / (width - edge.left - edge.right)));
  return (
    <div ref={ref} className={`ts-panel ${classes.frame ?? ''}`}>
      <svg width={width} height={height} role="group" aria-label={label}>
        {[0, 0.25, 0.5, 0.75, 1].map((tick) => (
          <g key={tick} aria-hidden>
            <line
              className={classes.grid}
              x1={edge.left}
              x2={width - edge.right}
              y1={y(tick)}
              y2={y(tick)}
            />
            <text className={classes.tick} x={edge.left - 8} y={y(tick) + 4} textAnchor="end">
              {tick.toFixed(2)}
            </text>
          </g>
        ))}
        <path
          className={classes.band}
          aria-hidden
          d={bands(
            places.map(({ x: at, low, high }) =>
              low === null || high === null ? null : { x: at, low: y(low), high: y(high) },
            ),
          )}
        />
        <path
          className={classes.line}
          aria-hidden
          d={brokenLine(
            places.map(({ x: at, value }) => (value === null ? null : { x: at, y: y(value) })),
          )}
        />
        {places.map((one, at) => (
          <g key={one.key}>
            {one.mark !== null && (
              <g aria-hidden>
                <line
                  className={classes.mark}
                  x1={one.x}
                  x2={one.x}
                  y1={edge.top - 6}
                  y2={height - edge.bottom}
                />
                <path className={classes.flag} d={`M${one.x},${edge.top - 14}l5,5l-5,5l-5,-5Z`} />
              </g>
            )}
            {one.low !== null && one.high !== null && (
              <line
                aria-hidden
                className={classes.whisker}
                x1={one.x}
                x2={one.x}
                y1={y(one.low)}
                y2={y(one.high)}
              />
            )}
            <a
              href={`#${one.key}`}
              className={classes.point}
              aria-label={`${one.title}${one.mark === null ? '' : `, ${one.mark}`}`}
              aria-current={one.key === selected ? 'true' : undefined}
              onClick={(event) => {
                event.preventDefault();
                onOpen(one.key);
              }}
            >
              <title>{`${one.title}${one.mark === null ? '' : `\n${one.mark}`}`}</title>
              <circle
                cx={one.x}
                cy={one.value === null ? y(0) : y(one.value)}
                r={one.value === null ? 4 : 5}
                data-missing={one.value === null || undefined}
              />
              <rect
                x={one.x - 12}
                y={edge.top - 14}
                width={24}
                height={height - edge.top - edge.bottom + 14}
                fill="transparent"
              />
            </a>
            {at % every === 0 && (
              <text
                className={classes.tick}
                aria-hidden
                x={one.x}
                y={height - 10}
                textAnchor="middle"
              >
                {one.label}
              </text>
            )}
          </g>
        ))}
      </svg>
    </div>
  );
}
