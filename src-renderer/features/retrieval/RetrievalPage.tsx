import { Menu, MultiSelect, TextInput, ActionIcon, Group, Tooltip } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { IconDatabasePlus, IconUpload, IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { Action, RemoveButton, typed } from '../../ui/fields/controls.tsx';
import { useApi, useRead } from '../../api/index.ts';
import { ChooseFile } from '../../ui/files/ChooseFile.tsx';
import { Loaded } from '../../ui/notices/notices.tsx';
import { PageHeader } from '../../ui/frame/PageHeader.tsx';
import { RetrievalBench } from './RetrievalBench.tsx';
import { useDatasetActions, type DatasetKind } from './useDatasetActions.ts';
import { ConfirmDialog } from '../../ui/panels/ConfirmDialog.tsx';
import { useNavigate } from 'react-router';
import type { RetrievalDatasets } from '../../../src-shared/domain/retrievalRun.ts';
import {
  codeColumn,
  column,
  type Column,
  DataTable,
  textColumn,
} from '../../ui/table/DataTable.tsx';
import { Section } from '../../ui/panels/panels.tsx';
import { counted } from '../../../src-shared/display/numbers.ts';

const kinds = [
  { kind: 'corpus', label: 'Corpus (tools)' },
  { kind: 'golden', label: 'Golden set (labeled queries)' },
  { kind: 'baseline', label: 'Baseline (reference values)' },
] as const;

/** Measures tool search: any retrievers on a labeled set of queries, side by side, with a gate. */
export function RetrievalPage() {
  const datasets = useRead((ask) => ask.retrieval.datasets);
  const acts = useDatasetActions();
  const [fromServers, setFromServers] = useState(false);
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Labs', to: '/labs/retrieval' }, { label: 'Retrieval' }]}
        title="Retrieval"
        subtitle="Some programs offer a model only the tools that a search finds for a request. Does the search find the ones that it needs?"
        actions={
          <>
            <Action
              label="Corpus from servers"
              icon={IconDatabasePlus}
              onClick={() => setFromServers(true)}
            />
            <Menu position="bottom-end">
              <Menu.Target>
                <Action label="Import" icon={IconUpload} />
              </Menu.Target>
              <Menu.Dropdown>
                {kinds.map(({ kind, label }) => (
                  <ChooseFile
                    key={kind}
                    accept=".json,application/json"
                    onFiles={([file]) => acts.importFile({ kind, file })}
                  >
                    {(props) => (
                      <Menu.Item {...props} closeMenuOnClick={false}>
                        {label}
                      </Menu.Item>
                    )}
                  </ChooseFile>
                ))}
              </Menu.Dropdown>
            </Menu>
          </>
        }
      />
      <Loaded query={datasets} blocks={[64, 240]}>
        {(loaded) => (
          <>
            <RetrievalBench datasets={loaded} />
            <DatasetTable datasets={loaded} />
          </>
        )}
      </Loaded>
      {fromServers && <CorpusFromServers onClose={() => setFromServers(false)} />}
    </>
  );
}

/** Freezes the last listed tools of registered servers as a corpus for labeled queries. */
function CorpusFromServers({ onClose }: { onClose: () => void }) {
  const { client } = useApi();
  const { refresh } = useDatasetActions();
  const servers = useRead((ask) => ask.servers.list);
  const [chosen, setChosen] = useState<string[]>([]);
  const [version, setVersion] = useState('my_corpus_v1');
  const save = useMutation({
    mutationFn: () => client.retrieval.corpusFromServers({ servers: chosen, version }),
    onSuccess: async () => {
      await refresh();
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title="Corpus from servers"
      confirm="Save corpus"
      disabled={chosen.length === 0 || version.trim() === ''}
      loading={save.isPending}
      error={save.error}
      onConfirm={() => save.mutate()}
      onClose={onClose}
    >
      <MultiSelect
        label="Servers"
        description="Uses the tools as last listed"
        data={(servers.data ?? []).map(({ name }) => name)}
        value={chosen}
        onChange={setChosen}
        searchable
      />
      <TextInput
        label="Version"
        description="Versions never change; each refresh adds one"
        {...typed(version, setVersion)}
        maxLength={200}
      />
    </ConfirmDialog>
  );
}

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
function DatasetTable({ datasets }: { datasets: RetrievalDatasets }) {
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
              acts.exportFile({ kind: row.kind, version: row.version });
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
                acts.remove({ kind: row.kind, version: row.version });
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
