import { MultiSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/index.ts';
import { useDatasetActions } from './useDatasetActions.ts';
import { ConfirmDialog } from '../../ui/panels/ConfirmDialog.tsx';

/** Freezes the last listed tools of registered servers as a corpus for labeled queries. */
export function CorpusFromServers({ onClose }: { onClose: () => void }) {
  const { client, queries } = useApi();
  const { refresh } = useDatasetActions();
  const servers = useQuery(queries.servers.list.queryOptions());
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
        value={version}
        maxLength={200}
        onChange={(event) => setVersion(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}
