import { legendSize, type HeatLayout } from './heatLayout.ts';
import { shadeShare } from './heatPicture.ts';
import classes from './HeatMap.module.css';

interface HeatLegendProps {
  /** Pairs by value in hundredths. */
  histogram: readonly number[];
  threshold: number;
  layout: HeatLayout;
  title: string;
}

const { width } = legendSize;
const height = 44;
const perBar = 2;
const rampHeight = 7;
const rampSteps = 25;

/** How many pairs have which value, in which color, and where the threshold is. */
export function HeatLegend({ histogram, threshold, layout, title }: HeatLegendProps) {
  const bars = Array.from({ length: Math.ceil(100 / perBar) }, (_, at) =>
    histogram
      // The last bar also holds 1.00.
      .slice(at * perBar, at === 100 / perBar - 1 ? undefined : (at + 1) * perBar)
      .reduce((sum, count) => sum + count, 0),
  );
  const most = Math.max(1, ...bars);
  const barWidth = width / bars.length;
  return (
    <g transform={`translate(${layout.legend.x} ${layout.legend.y})`}>
      <text className={classes.band}>{title}</text>
      <g transform="translate(0 14)">
        {bars.map((count, at) => {
          const value = (at * perBar) / 100;
          // By square root: a few similar pairs show next to thousands that are not.
          const size = count === 0 ? 0 : Math.max(2, Math.sqrt(count / most) * height);
          return (
            <rect
              key={at}
              className={value >= threshold - 1e-9 ? classes.flaggedBar : classes.bar}
              x={at * barWidth}
              y={height - size}
              width={barWidth - 0.6}
              height={size}
            />
          );
        })}
        <Ramp threshold={threshold} />
        <path
          className={classes.threshold}
          d={`M${threshold * width} -6V${height + rampHeight + 3}`}
        />
        {[0, 0.2, 0.4, 0.6, 0.8, 1].map((value) => (
          <text
            key={value}
            className={classes.size}
            x={value * width}
            y={height + rampHeight + 15}
            textAnchor="middle"
          >
            {value}
          </text>
        ))}
      </g>
    </g>
  );
}

/** The colors of the cells by value: the high color over the low one, by its share. */
function Ramp({ threshold }: { threshold: number }) {
  return (
    <g transform={`translate(0 ${height + 1})`}>
      <rect className={classes.rampLow} width={width} height={rampHeight} />
      {Array.from({ length: rampSteps }, (_, at) => (
        <rect
          key={at}
          className={classes.rampHigh}
          x={(at * width) / rampSteps}
          width={width / rampSteps}
          height={rampHeight}
          fillOpacity={shadeShare((at + 0.5) / rampSteps)}
        />
      ))}
      <rect
        className={classes.flaggedBar}
        x={threshold * width}
        width={(1 - threshold) * width}
        height={rampHeight}
      />
    </g>
  );
}
