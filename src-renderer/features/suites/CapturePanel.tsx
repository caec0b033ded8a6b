import { Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { newestOwn } from '../../../src-shared/domain/sampleData.ts';
import { useApi, useRead, useSample } from '../../api/index.ts';
import { ClientFiles } from '../../saving/ClientFiles.tsx';
import { Loaded } from '../../ui/notices/notices.tsx';
import { SidePanel } from '../../ui/panels/panels.tsx';

const noServer = <Link to="/tools?add">Add a server first</Link>;

/** Puts a gateway between a client and one of its servers. */
export function CapturePanel({ onClose }: { onClose: () => void }) {
  // Undefined: nothing was chosen yet; null: the choice was taken back.
  const [chosen, setChosen] = useState<string | null>();
  const servers = useRead((ask) => ask.servers.list);
  const sample = useSample();
  const usable = (servers.data ?? []).filter(({ config }) => config.transport !== 'skills');
  const names = usable.map(({ name }) => name);
  const own = sample.data && newestOwn(usable, sample.data.servers);
  const server = chosen === undefined ? (own?.name ?? null) : chosen;
  return (
    <SidePanel title="Capture a client" onClose={onClose}>
      <Stack gap="md">
        <Text size="sm">
          The client starts Touchstone in place of the server. Everything passes unchanged, and each
          session is kept in this workspace with secrets masked. Undo restores the client’s file.
        </Text>
        <Select
          label="Server"
          description={servers.isSuccess && names.length === 0 && noServer}
          placeholder="Choose a server"
          data={names}
          value={server}
          onChange={setChosen}
          searchable
        />
        {server !== null && <CaptureIn key={server} server={server} />}
      </Stack>
    </SidePanel>
  );
}

function CaptureIn({ server }: { server: string }) {
  const { client, queries, reread } = useApi();
  // A person who corrects a file comes back to what it says now.
  const clients = useRead((ask) => ask.sessions.clients, {
    input: { server },
    staleTime: 0,
    refetchOnWindowFocus: true,
  });
  return (
    <Loaded query={clients} blocks={[160]}>
      {(configs) => (
        <ClientFiles
          configs={configs}
          what={`the gateway of ${server}`}
          next="Restart it, and use it as usual."
          onAdd={(config) =>
            client.sessions.addToClient({
              ...{ server, client: config.client, revision: config.revision },
            })
          }
          onUndo={(name) => client.sessions.undoClient({ server, client: name })}
          onSettled={() => reread(queries.sessions.clients)}
        />
      )}
    </Loaded>
  );
}
