import { useMemo } from 'react';
import type { AnyOfRow, PerTool } from '../../../../../src-shared/domain/metrics.ts';
import { macroMetrics } from '../../../../../src-shared/metrics/macro.ts';
import {
  codeColumn,
  type Column,
  DataTable,
  numberColumn,
} from '../../../../ui/table/DataTable.tsx';
import { EstimateText } from '../../../../ui/estimate/EstimateTile.tsx';
import { counted, formatRate } from '../../../../../src-shared/display/numbers.ts';
import { Term } from '../../../../ui/text/Term.tsx';
import { Finding } from '../../../../ui/verdict/Finding.tsx';
import type { ResultNumbers } from '../../live/liveNumbers.ts';
import { callsMade, toolsFinding } from './tabFindings.ts';
import { PlainTable } from '../../../../ui/table/PlainTable.tsx';

const columns: Column<PerTool>[] = [
  codeColumn('tool', 'Tool', 'minmax(180px, 1fr)', (row) => row.toolId),
  numberColumn('expected', 'Expected', 96, (row) => row.tp + row.fn, {
    hint: 'Calls that only this tool should get.',
  }),
  numberColumn('missed', 'Missed', 84, (row) => row.fn, {
    hint: 'Expected calls that another tool got, or that were not made.',
  }),
  numberColumn('made', 'Called', 80, callsMade, { hint: 'Calls that went to this tool.' }),
  numberColumn('wrong', 'By mistake', 104, (row) => row.fp, {
    hint: 'Calls of this tool where another tool, or none, was expected.',
  }),
  numberColumn('recall', 'Recall', 116, (row) => row.recall.value, {
    hint: 'Of the calls that this tool should get, the share it got.',
    text: (_value, row) => <EstimateText estimate={row.recall} />,
  }),
  numberColumn('precision', 'Precision', 116, (row) => row.precision.value, {
    hint: 'Of the calls that this tool got, the share that was expected, including cases with several correct tools.',
    text: (_value, row) => <EstimateText estimate={row.precision} />,
  }),
  numberColumn('f1', 'F1', 116, (row) => row.f1Score.value, {
    hint: 'The harmonic mean of precision and recall.',
    text: (_value, row) => <EstimateText estimate={row.f1Score} />,
  }),
];

/** Which tools are missed or called by mistake, the worst first; averages come last. */
export function PerToolTab(props: {
  rows: readonly PerTool[];
  anyOf: readonly AnyOfRow[];
  micro: Pick<ResultNumbers, 'precision' | 'recall' | 'f1'>;
}) {
  const { rows, anyOf, micro } = props;
  const shown = useMemo(() => rows.toSorted((a, b) => b.fn + b.fp - (a.fn + a.fp)), [rows]);
  return (
    <>
      {rows.length > 0 && <Finding {...toolsFinding(rows, anyOf)} />}
      <DataTable
        label="Per tool"
        rowHeight={46}
        columns={columns}
        rows={shown}
        rowKey={(row) => row.toolId}
        maxHeight="max(300px, calc(100vh - 490px))"
        empty="No tool was expected or called yet."
      />
      {anyOf.length > 0 && <AnyOfTable rows={anyOf} />}
      {rows.length > 0 && <Averages rows={rows} micro={micro} />}
    </>
  );
}

const anyOfColumns: Column<AnyOfRow>[] = [
  codeColumn(
    'tools',
    'Cases with several correct tools',
    'minmax(220px, 1fr)',
    (row) => row.label,
    {
      hint: 'Cases that accept any of these tools. They don’t count in the recall of a single tool.',
    },
  ),
  numberColumn('recall', 'Recall', 116, (row) => row.recall.value, {
    hint: 'The share of these calls that went to one of the tools.',
    text: (_value, row) => <EstimateText estimate={row.recall} />,
  }),
  numberColumn('expected', 'Expected', 96, (row) => row.tp + row.fn),
  numberColumn('missed', 'Missed', 84, (row) => row.fn),
];

/** Expected calls that belong to no single tool. */
function AnyOfTable({ rows }: { rows: readonly AnyOfRow[] }) {
  const shown = useMemo(() => [...rows], [rows]);
  return (
    <DataTable
      label="Cases with several correct tools"
      rowHeight={46}
      columns={anyOfColumns}
      rows={shown}
      rowKey={(row) => row.label}
      maxHeight="300px"
      empty={null}
    />
  );
}

/** Micro and macro averages: if they differ, rare tools do better or worse than frequent ones. */
function Averages(props: {
  rows: readonly PerTool[];
  micro: Pick<ResultNumbers, 'precision' | 'recall' | 'f1'>;
}) {
  const { rows, micro } = props;
  const macro = macroMetrics(rows);
  return (
    <PlainTable
      mt="md"
      heads={[
        'Average',
        <Term name="recall" />,
        <Term name="precision" />,
        <Term name="f1" />,
        'Over',
      ]}
      numeric={[1, 2, 3, 4]}
      rows={[
        { name: 'micro' as const, ...micro, over: counted(micro.f1.n, 'call') },
        {
          name: 'macro' as const,
          ...macro,
          f1: macro.f1Score,
          over: counted(macro.f1Score.tools, 'tool'),
        },
      ].map(({ name, recall, precision, f1, over }) => ({
        key: name,
        cells: [
          <Term name={name} />,
          ...[recall, precision, f1].map(({ value }) => formatRate(value)),
          over,
        ],
      }))}
    />
  );
}
