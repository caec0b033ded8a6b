import { useMemo } from 'react';
import type { RetrievalComparison } from '../../../src-shared/domain/retrievalRun.ts';
import { difficultyTexts } from '../../../src-shared/display/retrievalMetricTexts.ts';
import {
  scoresByDifficulty,
  type DifficultyScore,
} from '../../../src-shared/metrics/retrievalScore.ts';
import { formatRate } from '../../../src-shared/display/numbers.ts';
import { Section } from '../../ui/panels/Section.tsx';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { numberColumn, textColumn } from '../../ui/table/columns.tsx';
import { Cut } from '../../ui/text/Cut.tsx';

interface Row extends DifficultyScore {
  retriever: string;
}

const columns: Column<Row>[] = [
  textColumn('retriever', 'Retriever', 'minmax(140px, 1.4fr)', (row) => row.retriever),
  {
    id: 'difficulty',
    header: 'Queries',
    width: 'minmax(220px, 2fr)',
    sortValue: (row) => row.difficulty,
    cell: (row) => <Cut text={difficultyTexts[row.difficulty].meaning} />,
  },
  numberColumn('queries', 'n', 80, (row) => row.queries, {
    hint: 'Scored queries of this difficulty.',
  }),
  numberColumn('recall', 'Recall@5', 110, (row) => row.recallAt5, { text: formatRate }),
  numberColumn('mrr', 'MRR', 110, (row) => row.mrr, { text: formatRate }),
];

/** What each retriever finds by the difficulty of the queries; nothing where no query says it. */
export function DifficultyTable({ comparison }: { comparison: RetrievalComparison }) {
  const { queries, results } = comparison;
  const rows = useMemo(
    () =>
      results.flatMap(({ retriever, perQuery }) =>
        scoresByDifficulty(queries, perQuery).map((score): Row => ({ retriever, ...score })),
      ),
    [queries, results],
  );
  if (rows.length === 0) return null;
  return (
    <Section title="By difficulty of the queries">
      <DataTable
        label="By difficulty of the queries"
        columns={columns}
        rows={rows}
        rowKey={(row) => `${row.retriever} ${row.difficulty}`}
        maxHeight="420px"
      />
    </Section>
  );
}
