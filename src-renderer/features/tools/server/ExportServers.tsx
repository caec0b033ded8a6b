import { Checkbox, SimpleGrid } from '@mantine/core';
import { useState } from 'react';
import type { ServerOverview } from '../../../../src-shared/contract/servers.ts';
import type { ServerExportFormat } from '../../../../src-shared/domain/serverImport.ts';
import { useRead } from '../../../api/index.ts';
import { ExportDialog } from '../../../ui/files/ExportDialog.tsx';
import { CodeView } from '../../../ui/text/CodeView.tsx';
import { Cut } from '../../../ui/text/Foreign.tsx';

const mediaType = 'application/json';
const formats: { value: ServerExportFormat; label: string; mediaType: string }[] = [
  { value: 'mcp.json', label: 'mcp.json (VS Code)', mediaType },
  { value: '.mcp.json', label: '.mcp.json (Claude Code)', mediaType },
  { value: 'claude-desktop', label: 'claude_desktop_config.json (Claude Desktop)', mediaType },
];

interface ExportServersProps {
  servers: readonly Pick<ServerOverview, 'id' | 'name'>[];
  onClose: () => void;
}

/** Exports servers in the format of another program, and lists losses before it is saved. */
export function ExportServers({ servers, onClose }: ExportServersProps) {
  const [format, setFormat] = useState<ServerExportFormat>('mcp.json');
  const [chosen, setChosen] = useState<string[]>(() => servers.map(({ id }) => id));
  const ids = servers.map(({ id }) => id).filter((id) => chosen.includes(id));
  const file = useRead((ask) => ask.servers.export, {
    input: { ids, format },
    enabled: ids.length > 0,
    staleTime: 0,
  });
  return (
    <ExportDialog
      title="Export servers"
      label="For"
      formats={formats}
      format={format}
      onFormat={setFormat}
      choice={
        servers.length > 1 && (
          <Checkbox.Group label="Servers" value={chosen} onChange={setChosen}>
            <SimpleGrid
              cols={{ base: 2, sm: 3 }}
              spacing="md"
              verticalSpacing="sm"
              mt={4}
              mah={220}
              style={{ overflow: 'auto' }}
            >
              {servers.map(({ id, name }) => (
                <Checkbox
                  key={id}
                  value={id}
                  label={<Cut text={name} />}
                  styles={{ labelWrapper: { minWidth: 0 } }}
                />
              ))}
            </SimpleGrid>
          </Checkbox.Group>
        )
      }
      file={ids.length === 0 ? 'Choose at least one server.' : file}
      lossesOf={({ losses }) => losses.map(({ server, message }) => `${server}: ${message}`)}
      onClose={onClose}
    >
      {({ fileName, text }) => <CodeView text={text} label={fileName} maxHeight={280} />}
    </ExportDialog>
  );
}
