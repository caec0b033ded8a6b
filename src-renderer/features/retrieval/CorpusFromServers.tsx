import { Button, Group, Modal, MultiSelect, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/index.ts';
import { ErrorNotice } from '../../ui/notices/ErrorNotice.tsx';
import { useDatasetActions } from './useDatasetActions.ts';

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
    <Modal opened onClose={onClose} title="Corpus from servers">
      <Stack gap="md">
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
        {error !== null && <ErrorNotice error={error} />}
        <Group>
          <Button
            disabled={chosen.length === 0 || version.trim() === ''}
            onClick={() => void save()}
          >
            Save corpus
          </Button>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
