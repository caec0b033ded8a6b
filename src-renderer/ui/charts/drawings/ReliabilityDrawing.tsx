import { formatDecimal } from '../../../../src-shared/display/numbers.ts';
import {
  Bar,
  CartesianGrid,
  ComposedChart,
  LabelList,
  Line,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { grid, noMotion, xAxis, xTitle, yAxis, yTitle } from './axes.ts';
import { Plot, Readout, readoutOf } from './Readout.tsx';

interface ReliabilityBin {
  low: number;
  high: number;
  n: number;
  /** The share of correct choices; null for an empty bin. */
  correct: number | null;
  /** The mean confidence; null for an empty bin. */
  confidence: number | null;
}

export interface ReliabilityProps {
  bins: readonly ReliabilityBin[];
  format?: (value: number) => string;
}

/**
 * The share of correct choices by reported confidence. On the dashed line, confidence equals
 * accuracy; each bar shows its n.
 */
export default function ReliabilityDrawing({ bins, format = String }: ReliabilityProps) {
  const rows = bins.map((bin) => ({
    ...bin,
    name: `${formatDecimal(bin.low, 1)}–${formatDecimal(bin.high, 1)}`,
    ideal: (bin.low + bin.high) / 2,
    label: bin.n === 0 ? '' : `n ${bin.n}`,
  }));
  return (
    <Plot>
      <ComposedChart
        data={rows}
        barCategoryGap={2}
        margin={{ top: 16, right: 16, bottom: 14, left: 4 }}
      >
        <CartesianGrid {...grid} />
        <XAxis dataKey="name" {...xAxis} label={xTitle('reported confidence')} />
        <YAxis
          domain={[0, 1]}
          ticks={[0, 0.25, 0.5, 0.75, 1]}
          tickFormatter={format}
          {...yAxis}
          width={62}
          label={yTitle('right tools')}
        />
        <Tooltip
          {...readoutOf({ fill: 'var(--ts-hover)' }, (row: (typeof rows)[number]) => (
            <Readout
              head={`Confidence ${row.name}`}
              lines={
                row.correct === null
                  ? [{ text: 'No runs' }]
                  : [
                      { text: `${format(row.correct)} of ${row.n} runs have the right tools` },
                      { text: `Mean confidence ${formatDecimal(row.confidence ?? 0, 2)}` },
                    ]
              }
            />
          ))}
        />
        <Bar
          dataKey="correct"
          fill="var(--ts-heat)"
          fillOpacity={0.75}
          stroke="var(--ts-accent-ink)"
          {...noMotion}
        >
          <LabelList dataKey="label" position="top" fill="var(--ts-ink)" />
        </Bar>
        <Line
          dataKey="ideal"
          stroke="var(--ts-ink-muted)"
          strokeDasharray="5 4"
          dot={false}
          activeDot={false}
          {...noMotion}
        />
      </ComposedChart>
    </Plot>
  );
}
