import { useComputedColorScheme } from '@mantine/core';
import { useMemo } from 'react';
import type { ListedPair } from '../../../../src-shared/contract/similarity.ts';
import { isFlagged, type SimilarityAnalysis } from '../../../../src-shared/domain/similarity.ts';
import { measureTitles, pairScoreText } from '../../../../src-shared/display/similarityTexts.ts';
import { ChartFrame } from '../../../ui/charts/ChartFrame.tsx';
import { HeatMap } from '../../../ui/heat/HeatMap.tsx';
import { belowDiagonal } from '../../../ui/heat/heatPicture.ts';
import { Loaded } from '../../../ui/notices/notices.tsx';
import { counted } from '../../../../src-shared/display/numbers.ts';
import type { ChosenPair } from './chosenPair.ts';
import { useMatrix } from './useSimilarity.ts';
import { mapTitle } from './mapTitle.ts';

interface HeatPanelProps {
  analysis: SimilarityAnalysis;
  /** The first pairs of all, whatever the list shows. */
  ranked: readonly ListedPair[];
  threshold: number;
  selected: ChosenPair | null;
  onSelect: (pair: ChosenPair) => void;
}

function cellsOf(text: string): Uint16Array {
  const binary = atob(text);
  return Uint16Array.from(
    { length: binary.length / 2 },
    (_, at) => binary.charCodeAt(2 * at) | (binary.charCodeAt(2 * at + 1) << 8),
  );
}

/** Every tool against every other, by server. */
export function HeatPanel(props: HeatPanelProps) {
  const matrix = useMatrix(props.analysis.id);
  return (
    <Loaded query={matrix} blocks={[520]}>
      {({ order, cells }) => <AnalysisMap {...props} order={order} cells={cells} />}
    </Loaded>
  );
}

function AnalysisMap(props: HeatPanelProps & { order: readonly number[]; cells: string }) {
  const { analysis, ranked, threshold, selected, onSelect, order, cells } = props;
  const theme = useComputedColorScheme('light');
  const numbers = useMemo(() => cellsOf(cells), [cells]);
  const placeOf = useMemo(() => new Map(order.map((tool, place) => [tool, place])), [order]);
  const rows = useMemo(
    () =>
      order.map((at) => ({
        name: analysis.tools[at]?.name ?? '',
        place: at,
        group: analysis.tools[at]?.server ?? '',
      })),
    [analysis, order],
  );
  const cellOf = ({ a, b }: ChosenPair) =>
    belowDiagonal({ row: placeOf.get(a) ?? 0, column: placeOf.get(b) ?? 0 }, order.length);
  const marks = ranked
    .filter((pair) => isFlagged(pair, threshold))
    .map((pair) => ({ ...cellOf(pair), number: pair.rank ?? 0 }));
  return (
    <ChartFrame
      title={mapTitle(analysis, ranked, threshold)}
      note={`${measureTitles[analysis.measure]} of ${counted(analysis.pairs, 'pair')} of ${counted(order.length, 'tool')}, 0 to 1`}
      fileName="similar-tools"
      height="auto"
      table={{
        heads: ['No.', 'Tool', 'Similar tool', measureTitles[analysis.measure], 'Flagged'],
        numeric: [0, 3],
        rows: ranked.map((pair) => [
          String(pair.rank ?? '–'),
          analysis.toolIds[pair.a] ?? '',
          analysis.toolIds[pair.b] ?? '',
          pairScoreText(pair.score),
          isFlagged(pair, threshold) ? 'yes' : 'no',
        ]),
      }}
    >
      <HeatMap
        label={`${measureTitles[analysis.measure]} of all tools`}
        rows={rows}
        cells={numbers}
        threshold={threshold}
        marks={marks}
        histogram={analysis.histogram}
        legendTitle={`${measureTitles[analysis.measure]} of ${counted(analysis.pairs, 'pair')}`}
        format={(value) => `${analysis.measure} ${pairScoreText(value)}`}
        start={ranked[0] === undefined ? null : cellOf(ranked[0])}
        selected={selected && cellOf(selected)}
        onSelect={({ row, column }) => {
          const [one, two] = [order[column] ?? 0, order[row] ?? 0];
          onSelect({ a: Math.min(one, two), b: Math.max(one, two) });
        }}
        theme={theme}
      />
    </ChartFrame>
  );
}
