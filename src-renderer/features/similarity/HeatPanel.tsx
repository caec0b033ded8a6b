import { useComputedColorScheme } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { HeatMapOrder } from '../../../src-shared/contract/similarity.ts';
import type { SimilarityAnalysis } from '../../../src-shared/domain/similarity.ts';
import { useApi } from '../../api/index.ts';
import { HeatMap } from '../../ui/heat/HeatMap.tsx';
import { Loaded } from '../../ui/notices/Loaded.tsx';

interface HeatPanelProps {
  analysis: SimilarityAnalysis;
  order: HeatMapOrder;
  /** Pairs whose score is at or above it are marked: the same ones that the list flags. */
  threshold: number;
  selected: { a: number; b: number } | null;
  onSelect: (a: number, b: number) => void;
}

function cellsOf(text: string): Uint16Array {
  const binary = atob(text);
  return Uint16Array.from(
    { length: binary.length / 2 },
    (_, at) => binary.charCodeAt(2 * at) | (binary.charCodeAt(2 * at + 1) << 8),
  );
}

/** Every tool against every other, in the chosen order. */
export function HeatPanel({ analysis, order, threshold, selected, onSelect }: HeatPanelProps) {
  const { queries } = useApi();
  const matrix = useQuery(
    queries.similarity.matrix.queryOptions({
      input: { id: analysis.id, order, threshold },
      staleTime: Infinity,
      placeholderData: keepPreviousData,
    }),
  );
  return (
    <Loaded query={matrix} blocks={[420]}>
      {(found) => (
        <AnalysisHeatMap
          {...{ analysis, selected, onSelect }}
          order={found.order}
          cells={found.cells}
        />
      )}
    </Loaded>
  );
}

function AnalysisHeatMap({
  analysis,
  selected,
  onSelect,
  order,
  cells,
}: Omit<HeatPanelProps, 'order' | 'threshold'> & { order: readonly number[]; cells: string }) {
  const theme = useComputedColorScheme('light');
  const numbers = useMemo(() => cellsOf(cells), [cells]);
  const rowOf = useMemo(() => new Map(order.map((tool, row) => [tool, row])), [order]);
  const cell = selected
    ? { row: rowOf.get(selected.a) ?? 0, column: rowOf.get(selected.b) ?? 0 }
    : null;
  return (
    <HeatMap
      label="Overlap of all tools"
      count={order.length}
      cells={numbers}
      nameOf={(row) => analysis.toolIds[order[row] ?? 0] ?? ''}
      selected={cell}
      onSelect={({ row, column }) => {
        onSelect(order[row] ?? 0, order[column] ?? 0);
      }}
      theme={theme}
    />
  );
}
