import { ActionIcon, Group, Tooltip } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import type { RetrievalDatasets } from '../../../src-shared/domain/retrievalRun.ts';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { Section } from '../../ui/panels/Section.tsx';
import { counted } from '../../../src-shared/display/numbers.ts';
import { type DatasetKind, useDatasetActions } from './useDatasetActions.ts';
import { column, codeColumn, textColumn } from '../../ui/table/columns.tsx';
import { RemoveButton } from '../../ui/fields/RowButtons.tsx';

interface DatasetRow {
  kind: DatasetKind;
  version: string;
  what: string;
  origin: string;
  bundled: boolean;
}

const kindWords: Record<DatasetKind, string> = {
  corpus: 'Corpus',
  golden: 'Golden set',
  baseline: 'Baseline',
};

function rowsOf({ corpora, goldenSets, baselines }: RetrievalDatasets): DatasetRow[] {
  return [
    ...goldenSets.map(
      ({ queries, hardNegatives, unlabeled, warnings, corpusVersion, ...rest }): DatasetRow => ({
        ...rest,
        kind: 'golden',
        what:
          `${counted(queries, 'query', 'queries')}, ` +
          `${counted(hardNegatives, 'hard negative')}${unlabeled > 0 ? `, ${unlabeled} without a label` : ''}${warnings > 0 ? `, ${warnings} naming a tool` : ''}, ` +
          `over ${corpusVersion}`,
      }),
    ),
    ...corpora.map(({ tools, servers, ...rest }): DatasetRow => ({
      ...rest,
      kind: 'corpus',
      what: `${counted(tools, 'tool')} of ${counted(servers, 'server')}`,
    })),
    ...baselines.map(({ baseline, ...rest }): DatasetRow => ({
      ...rest,
      kind: 'baseline',
      what: `${baseline.retriever ?? 'a retriever'} on ${baseline.golden_version}`,
    })),
  ];
}

/** The available datasets, by kind. A golden set opens in its editor. */
export function DatasetTable({ datasets }: { datasets: RetrievalDatasets }) {
  const navigate = useNavigate();
  const acts = useDatasetActions();
  const columns: Column<DatasetRow>[] = [
    column('kind', 'Kind', 110, { sortValue: (row) => row.kind }, (row) => kindWords[row.kind]),
    codeColumn('version', 'Version', 'minmax(180px, 1fr)', (row) => row.version, {
      hint: 'Versions never change. Edits are saved as the next version.',
    }),
    textColumn('what', 'Contents', 'minmax(240px, 2fr)', (row) => row.what, { sorts: false }),
    textColumn('origin', 'Source', 'minmax(140px, 1fr)', (row) => row.origin),
    column('acts', 'Actions', 90, { align: 'center' }, (row) => (
      <Group gap={4} wrap="nowrap">
        <Tooltip label={`Save ${row.version} as a file`}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Save ${row.version} as a file`}
            onClick={(event) => {
              event.stopPropagation();
              void acts.exportFile(row.kind, row.version);
            }}
          >
            <IconDownload size={16} />
          </ActionIcon>
        </Tooltip>
        {!row.bundled && (
          <Tooltip label={`Delete ${row.version}`}>
            <RemoveButton
              label={`Delete ${row.version}`}
              onClick={(event) => {
                event.stopPropagation();
                void acts.remove(row.kind, row.version);
              }}
            />
          </Tooltip>
        )}
      </Group>
    )),
  ];
  return (
    <Section title="Datasets">
      <DataTable
        label="Datasets"
        columns={columns}
        rows={rowsOf(datasets)}
        rowKey={(row) => `${row.kind} ${row.version}`}
        onOpen={(row) => {
          if (row.kind === 'golden')
            void navigate(`/labs/retrieval/golden/${encodeURIComponent(row.version)}`);
        }}
        maxHeight="320px"
      />
    </Section>
  );
}
