import type { SimilarityAnalysis, SimilarityPair } from '../../../src-shared/domain/similarity.ts';
import { Cut } from '../../ui/text/Cut.tsx';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { EmptyState } from '../../ui/notices/EmptyState.tsx';
import classes from './similarity.module.css';

export const shown = (value: number | null): string => (value === null ? '–' : value.toFixed(2));
export const pairKey = ({ a, b }: { a: number; b: number }): string =>
  `${Math.min(a, b)}-${Math.max(a, b)}`;

interface PairTableProps {
  analysis: SimilarityAnalysis;
  rows: readonly SimilarityPair[];
  total: number;
  selected: string | null;
  onOpen: (pair: SimilarityPair) => void;
}

/** The main list: pairs by descending overlap, each with its dimensions. */
export function PairTable({ analysis, rows, total, selected, onOpen }: PairTableProps) {
  const number = (
    id: string,
    header: string,
    hint: string,
    value: (pair: SimilarityPair) => number | null,
    width = 92,
  ): Column<SimilarityPair> => ({
    id,
    header,
    hint,
    width,
    align: 'right',
    cell: (pair) => shown(value(pair)),
    sortValue: value,
  });
  const name = (
    id: string,
    header: string,
    place: (pair: SimilarityPair) => number,
  ): Column<SimilarityPair> => ({
    id,
    header,
    width: 'minmax(150px, 1fr)',
    cell: (pair) => <Cut text={analysis.toolIds[place(pair)] ?? ''} mono />,
    sortValue: (pair) => analysis.toolIds[place(pair)] ?? '',
  });
  const columns: Column<SimilarityPair>[] = [
    {
      id: 'flag',
      header: 'Flag',
      width: 76,
      cell: (pair) => (pair.flagged ? <span className={classes.flag}>alike</span> : ''),
      sortValue: (pair) => (pair.flagged ? 0 : 1),
      hint: 'The similarity is at or above the threshold.',
    },
    number(
      'overlap',
      'Overlap',
      '0 to 1: weighted sum of the three dimensions; without parameters on either side the ' +
        'other two share their weight.',
      ({ overlap }) => overlap,
    ),
    number(
      'similarity',
      'Similarity',
      analysis.full
        ? '0 to 1: cosine of name, description and parameters. It decides about the flag.'
        : '0 to 1: cosine of the descriptions. It decides about the flag.',
      (pair) => pair.fullSimilarityScore ?? pair.similarityScore,
      100,
    ),
    name('a', 'Tool', ({ a }) => a),
    name('b', 'reads like', ({ b }) => b),
  ];
  return (
    <DataTable
      label="Pairs of tools"
      columns={columns}
      rows={rows}
      rowKey={pairKey}
      onOpen={onOpen}
      selected={selected}
      totalRows={total}
      maxHeight="66vh"
      empty={<EmptyState message="No pair is left by these filters." />}
    />
  );
}
