import { Bar, BarChart, CartesianGrid, XAxis, YAxis } from 'recharts';
import { firstCharacters, visibleText } from '../../text/Foreign.tsx';
import classes from '../charts.module.css';
import { SeriesShape, seriesInk } from '../seriesStyle.tsx';
import { grid, noMotion, rowAxis, xAxis, xTitle } from './axes.ts';
import { Plot } from './Readout.tsx';

interface DumbbellRow {
  id: string;
  name: string;
  /** The values of the first and the second series. */
  values: readonly [number, number];
}

export interface DumbbellProps {
  rows: readonly DumbbellRow[];
  /** The names of the two series. */
  names: readonly [string, string];
  xLabel: string;
  xRange: readonly [number, number];
  format: (value: number) => string;
  onOpen: (id: string) => void;
}

interface DrawnRow {
  x: number;
  y: number;
  width: number;
  height: number;
  payload: DumbbellRow;
}

const maxName = 56;

/** Two values per row, joined by a line: how far apart they are and which is larger. */
export default function DumbbellDrawing(props: DumbbellProps) {
  const { rows, names, xLabel, xRange, format, onOpen } = props;
  const data = rows.map((row, at) => ({
    ...row,
    key: at,
    span: [Math.min(...row.values), Math.max(...row.values)],
  }));
  return (
    <Plot names={names}>
      <BarChart
        data={data}
        layout="vertical"
        margin={{ top: 6, right: 24, bottom: 16, left: 4 }}
        barSize={9}
      >
        <CartesianGrid {...grid} horizontal={false} vertical />
        <XAxis
          type="number"
          domain={[...xRange]}
          tickFormatter={format}
          {...xAxis}
          label={xTitle(xLabel)}
          padding={{ left: 8, right: 8 }}
        />
        <YAxis {...rowAxis(rows, maxName)} width={330} />
        <Bar
          dataKey="span"
          shape={(drawn: unknown) => (
            <Dumbbell {...(drawn as DrawnRow)} {...{ names, format, onOpen }} />
          )}
          {...noMotion}
        />
      </BarChart>
    </Plot>
  );
}

function Dumbbell(props: DrawnRow & Pick<DumbbellProps, 'names' | 'format' | 'onOpen'>) {
  const { x, y, width, height, payload, names, format, onOpen } = props;
  const { id, name, values } = payload;
  const middle = y + height / 2;
  const rises = values[1] >= values[0];
  const ends = rises ? [x, x + width] : [x + width, x];
  const label = names.map((series, at) => `${series} ${format(values[at] ?? 0)}`).join(', ');
  const open = (): void => onOpen(id);
  return (
    <g
      className={classes.link}
      role="link"
      tabIndex={0}
      aria-label={`${visibleText(firstCharacters(name, 200))}: ${label}`}
      onClick={open}
      onKeyDown={(event) => {
        if (event.key === 'Enter') open();
      }}
    >
      <title>{`${visibleText(firstCharacters(name, 200))}\n${label}`}</title>
      <line
        x1={x}
        x2={x + width}
        y1={middle}
        y2={middle}
        stroke="var(--ts-line-strong)"
        strokeWidth={2}
      />
      {ends.map((end, at) => (
        <g key={at} fill={seriesInk(at)}>
          <SeriesShape at={at} x={end} y={middle} />
        </g>
      ))}
      <rect x={x - 8} y={y - 3} width={width + 16} height={height + 6} fill="transparent" />
    </g>
  );
}
