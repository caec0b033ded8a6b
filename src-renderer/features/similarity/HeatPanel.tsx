import { useComputedColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { MapOrder } from '../../../src-shared/contract/similarity.ts';
import type { SimilarityAnalysis } from '../../../src-shared/domain/similarity.ts';
import { useApi } from '../../api/index.ts';
import { HeatMap } from '../../ui/heat/HeatMap.tsx';
import { Loaded } from '../../ui/Loaded.tsx';

interface HeatPanelProps {
  analysis: SimilarityAnalysis;
  order: MapOrder;
  mark: number;
  selected: { a: number; b: number } | null;
  onSelect: (a: number, b: number) => void;
}

function bytesOf(text: string): Uint8Array {
  const binary = atob(text);
  return Uint8Array.from({ length: binary.length }, (_, at) => binary.charCodeAt(at));
}

/** Every tool against every other, in the chosen order. */
export function HeatPanel({ analysis, order, mark, selected, onSelect }: HeatPanelProps) {
  const { queries } = useApi();
  const matrix = useQuery(queries.similarity.matrix.queryOptions({ input: { id: analysis.id, order }, staleTime: Infinity }));
  return (
    <Loaded query={matrix} blocks={[420]}>
      {(found) => <Map {...{ analysis, mark, selected, onSelect }} order={found.order} cells={found.cells} />}
    </Loaded>
  );
}

function Map({ analysis, mark, selected, onSelect, order, cells }: Omit<HeatPanelProps, 'order'> & { order: readonly number[]; cells: string }) {
  const theme = useComputedColorScheme('light');
  const bytes = useMemo(() => bytesOf(cells), [cells]);
  const placeOf = useMemo(() => new globalThis.Map(order.map((tool, place) => [tool, place])), [order]);
  const at = selected ? { x: placeOf.get(selected.a) ?? 0, y: placeOf.get(selected.b) ?? 0 } : null;
  return (
    <HeatMap
      label="Overlap of all tools"
      count={order.length}
      cells={bytes}
      nameOf={(row) => analysis.toolIds[order[row] ?? 0] ?? ''}
      mark={mark}
      selected={at}
      onSelect={({ x, y }) => { onSelect(order[x] ?? 0, order[y] ?? 0); }}
      theme={theme}
    />
  );
}
