import { Menu, MultiSelect, TextInput } from '@mantine/core';
import { IconDatabasePlus, IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { Action } from '../../ui/fields/Action.tsx';
import { useApi, useRead } from '../../api/index.ts';
import { ChooseFile } from '../../ui/files/ChooseFile.tsx';
import { Loaded } from '../../ui/notices/Loaded.tsx';
import { PageHeader } from '../../ui/frame/PageHeader.tsx';
import { DatasetTable } from './DatasetTable.tsx';
import { RetrievalBench } from './RetrievalBench.tsx';
import { useDatasetActions } from './useDatasetActions.ts';
import { ConfirmDialog } from '../../ui/panels/ConfirmDialog.tsx';
import { typed } from '../../ui/fields/typed.ts';

const kinds = [
  { kind: 'corpus', label: 'Corpus (tools)' },
  { kind: 'golden', label: 'Golden set (labeled queries)' },
  { kind: 'baseline', label: 'Baseline (reference values)' },
] as const;

/** Measures tool search: any retrievers on a labeled set of queries, side by side, with a gate. */
export function RetrievalPage() {
  const { queries } = useApi();
  const datasets = useRead(queries.retrieval.datasets);
  const acts = useDatasetActions();
  const [fromServers, setFromServers] = useState(false);
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Labs', to: '/labs/retrieval' }, { label: 'Retrieval' }]}
        title="Retrieval"
        subtitle="How well each retriever finds the right tool for labeled queries."
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
                    onFiles={([file]) => void acts.importFile(kind, file)}
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
  const { client, queries } = useApi();
  const { refresh } = useDatasetActions();
  const servers = useRead(queries.servers.list);
  const [chosen, setChosen] = useState<string[]>([]);
  const [version, setVersion] = useState('my_corpus_v1');
  const [error, setError] = useState<unknown>(null);
  const save = async (): Promise<void> => {
    try {
      await client.retrieval.corpusFromServers({ servers: chosen, version });
      await refresh();
      onClose();
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <ConfirmDialog
      title="Corpus from servers"
      confirm="Save corpus"
      disabled={chosen.length === 0 || version.trim() === ''}
      error={error}
      onConfirm={() => void save()}
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
