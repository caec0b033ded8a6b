import { useMemo, useCallback } from 'react';
import { SegmentedControl, TextInput } from '@mantine/core';
import type { ConfusionMatrix } from '../../../../../src-shared/domain/metrics.ts';
import { useRead } from '../../../../api/index.ts';
import { type Column, DataTable, numberColumn } from '../../../../ui/table/DataTable.tsx';
import {
  formatCount,
  formatPercent,
  counted,
  noun,
} from '../../../../../src-shared/display/numbers.ts';
import { Loaded } from '../../../../ui/notices/notices.tsx';
import { PlainText } from '../../../../ui/text/Foreign.tsx';
import { Section } from '../../../../ui/panels/panels.tsx';
import { type Capture, captures, captureSentence } from './confusions.ts';
import { nameLabels } from '../../../../../src-shared/display/toolNames.ts';
import { Matrix } from '../../../../ui/matrix/Matrix.tsx';
import {
  confusionView,
  CORRECT,
  maxShownTools,
  toneOfCell,
  type MatrixAxis,
} from '../../../../../src-shared/display/confusionView.ts';
import type { ResultAddress } from './resultAddress.ts';
import { options, typed } from '../../../../ui/fields/controls.tsx';
import classes from '../../evaluations.module.css';

interface ConfusionPanelProps {
  confusion: ConfusionMatrix;
  /** True until the servers have listed their tools: the matrix has no rows yet. */
  waiting: boolean;
  address: ResultAddress;
  onCell: (cell: { expected: string; selected: string }) => void;
  onChange: (change: Partial<ResultAddress>) => void;
}

export function ConfusionPanel(props: ConfusionPanelProps) {
  const { confusion, waiting, address, onCell, onChange } = props;
  const view = useMemo(() => confusionView(confusion, address.tools), [confusion, address.tools]);
  const select = useCallback(
    (row: MatrixAxis, column: MatrixAxis) => onCell({ expected: row.id, selected: column.id }),
    [onCell],
  );
  const selected = useMemo(
    () =>
      address.cell === null ? null : { row: address.cell.expected, column: address.cell.selected },
    [address.cell],
  );
  return (
    <section
      className={classes.matrixPart}
      data-wide={view.tools > maxShownTools || undefined}
      aria-label="Confusion"
    >
      <div className={classes.partHead}>
        <h2 className={classes.partTitle}>Confusion matrix</h2>
        <SegmentedControl
          aria-label="Numbers in the cells"
          data={options({ counts: 'Counts', share: 'Row %' })}
          value={address.mode}
          onChange={(mode) => onChange({ mode })}
        />
      </div>
      {(view.tools > maxShownTools || address.tools !== '') && (
        <div className={classes.partHead}>
          <TextInput
            size="xs"
            w={240}
            type="search"
            aria-label="Filter tools of the matrix"
            placeholder="Filter tools of the matrix"
            {...typed(address.tools, (tools) => onChange({ tools }))}
          />
          <p className="ts-hint">
            {formatCount(view.shown)} of {counted(view.tools, 'tool')}
            {address.tools === '' ? ', the most confused ones' : ''}
            {view.outside > 0 &&
              `. ${counted(view.outside, 'call')} ${noun(view.outside, 'is', 'are')} outside of them.`}
          </p>
        </div>
      )}
      {waiting ? (
        <div className={`ts-panel ${classes.waiting ?? ''}`}>
          The matrix appears once the servers have listed their tools.
        </div>
      ) : (
        <Matrix
          label="Confusion matrix"
          rowWord="expected"
          columnWord="called"
          rows={view.rows}
          columns={view.columns}
          counts={view.counts}
          totals={view.totals}
          mode={address.mode}
          toneOf={toneOfCell}
          nameOf={spokenCell}
          selected={selected}
          onSelect={select}
          {...(view.tools > maxShownTools ? { maxHeight: '46vh' } : {})}
        />
      )}
    </section>
  );
}

/** The accessible name of a cell. */
export function spokenCell(
  row: MatrixAxis,
  column: MatrixAxis,
  count: number,
  total: number,
): string {
  const share = total > 0 ? `, ${formatPercent(count / total)}` : '';
  const called = column.id === CORRECT ? 'correct tool called' : `called ${spoken(column)}`;
  return `Expected ${spoken(row)}, ${called}: ${formatCount(count)} of ${formatCount(total)}${share}`;
}

function spoken(axis: MatrixAxis): string {
  return axis.group === null ? axis.label : axis.id;
}

interface ConfusionsTabProps {
  evaluationId: string;
  model: string | null;
  confusion: ConfusionMatrix;
  ended: boolean;
  onCell: (cell: { expected: string; selected: string }) => void;
}

/**
 * Every confusion as a sentence, most frequent first, and the calls that went to another server.
 */
export function ConfusionsTab(props: ConfusionsTabProps) {
  const { evaluationId, model, confusion, ended, onCell } = props;
  const analysis = useRead((ask) => ask.results.analysis, {
    input: { id: evaluationId, modelSettingsId: model },
    enabled: ended,
  });
  const rows = useMemo(() => captures(confusion), [confusion]);
  const hasCalls = confusion.matrix.some((row) => row.some((count) => count > 0));
  const columns = useMemo((): Column<Capture>[] => {
    const nameOf = nameLabels(confusion.labels);
    return [
      {
        id: 'words',
        header: 'Confusion',
        width: 'minmax(280px, 1fr)',
        sortValue: (row) => captureSentence(row, nameOf),
        cell: (row) => (
          <PlainText as="span" className="ts-foreign" text={captureSentence(row, nameOf)} />
        ),
      },
      numberColumn('count', 'Calls', 80, (row) => row.count),
      numberColumn('share', 'Share', 84, (row) => row.count / row.of, {
        hint: 'Share of the expected calls of the same tool.',
        text: formatPercent,
      }),
    ];
  }, [confusion.labels]);
  return (
    <>
      <DataTable
        label="Confusions"
        columns={columns}
        rows={rows}
        rowKey={(row) => `${row.expected} ${row.selected}`}
        rowHeight={48}
        onOpen={onCell}
        maxHeight="max(260px, calc(100vh - 560px))"
        empty={
          hasCalls
            ? 'No confusions: every call went to the expected tool.'
            : 'No call to compare: no run was scored.'
        }
      />
      {ended && hasCalls && (
        <Section title="Across servers">
          <Loaded query={analysis} blocks={[60]} label="Loading the calls across servers">
            {({ crossServer }) =>
              crossServer.length === 0 ? (
                <p className="ts-quiet">No call went to the wrong server.</p>
              ) : (
                <ul className={classes.list}>
                  {crossServer.map(({ expected, selected, count, of }) => (
                    <li key={`${expected} ${selected}`}>
                      <PlainText text={selected} /> got {formatPercent(count / of)} (
                      {formatCount(count)} of {formatCount(of)}) of the calls for{' '}
                      <PlainText text={expected} />
                    </li>
                  ))}
                </ul>
              )
            }
          </Loaded>
        </Section>
      )}
    </>
  );
}
