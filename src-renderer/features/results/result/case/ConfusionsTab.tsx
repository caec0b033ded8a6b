import { useMemo } from 'react';
import type { ConfusionMatrix } from '../../../../../src-shared/domain/metrics.ts';
import { useRead } from '../../../../api/index.ts';
import { type Column, DataTable } from '../../../../ui/table/DataTable.tsx';
import { numberColumn } from '../../../../ui/table/columns.tsx';
import { formatCount, formatPercent } from '../../../../../src-shared/display/numbers.ts';
import { Loaded } from '../../../../ui/notices/Loaded.tsx';
import { PlainText } from '../../../../ui/text/PlainText.tsx';
import { Section } from '../../../../ui/panels/Section.tsx';
import classes from '../../evaluations.module.css';
import { type Capture, captures, captureSentence } from './confusions.ts';
import { nameLabels } from '../../../../../src-shared/display/toolNames.ts';

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
