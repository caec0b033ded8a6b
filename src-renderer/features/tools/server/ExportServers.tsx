import { Checkbox, Modal, Radio, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ServerOverview } from '../../../../src-shared/contract/servers.ts';
import type { ServerExportFormat } from '../../../../src-shared/domain/serverImport.ts';
import { useApi } from '../../../api/index.ts';
import { CodeView } from '../../../ui/text/CodeView.tsx';
import { Cut } from '../../../ui/text/Cut.tsx';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import { Notice } from '../../../ui/notices/Notice.tsx';
import { PlainText } from '../../../ui/text/PlainText.tsx';
import { SaveFileActions } from '../../../ui/files/SaveFileActions.tsx';
import { saveTextFile } from '../../../ui/files/saveTextFile.ts';

const formats: { value: ServerExportFormat; label: string }[] = [
  { value: 'mcp.json', label: 'mcp.json (VS Code)' },
  { value: '.mcp.json', label: '.mcp.json (Claude Code)' },
  { value: 'claude-desktop', label: 'claude_desktop_config.json (Claude Desktop)' },
];

interface ExportServersProps {
  servers: readonly Pick<ServerOverview, 'id' | 'name'>[];
  onClose: () => void;
}

/**
 * Servers in the format of another program. What the format can't express is listed before the file
 * is saved.
 */
export function ExportServers({ servers, onClose }: ExportServersProps) {
  const { queries } = useApi();
  const [format, setFormat] = useState<ServerExportFormat>('mcp.json');
  const [chosen, setChosen] = useState<string[]>(() => servers.map(({ id }) => id));
  const ids = servers.map(({ id }) => id).filter((id) => chosen.includes(id));
  const made = useQuery(
    queries.servers.export.queryOptions({
      input: { ids, format },
      enabled: ids.length > 0,
      staleTime: 0,
    }),
  );
  return (
    <Modal opened onClose={onClose} title="Export servers" size="lg">
      <Stack gap="md">
        <Radio.Group
          label="For"
          value={format}
          onChange={(value) =>
            setFormat(formats.find((each) => each.value === value)?.value ?? 'mcp.json')
          }
        >
          <Stack gap="xs" mt={4}>
            {formats.map((each) => (
              <Radio key={each.value} value={each.value} label={each.label} />
            ))}
          </Stack>
        </Radio.Group>
        {servers.length > 1 && (
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
        )}
        {ids.length === 0 ? (
          <Text c="dimmed">Choose at least one server.</Text>
        ) : (
          <Loaded query={made} blocks={[120]}>
            {({ fileName, text, losses }) => (
              <Stack gap="md">
                {losses.length > 0 && (
                  <Notice tone="warning">
                    <Text>This format can’t express everything:</Text>
                    <ul
                      style={{
                        margin: '4px 0 0',
                        paddingLeft: 20,
                        maxHeight: 160,
                        overflow: 'auto',
                      }}
                      tabIndex={0}
                    >
                      {losses.map(({ server, message }, index) => (
                        <li key={index}>
                          <PlainText text={`${server}: ${message}`} />
                        </li>
                      ))}
                    </ul>
                  </Notice>
                )}
                <CodeView text={text} label={fileName} maxHeight={280} />
                <SaveFileActions
                  lossy={losses.length > 0}
                  onSave={() => saveTextFile(fileName, text, 'application/json')}
                  onClose={onClose}
                />
              </Stack>
            )}
          </Loaded>
        )}
      </Stack>
    </Modal>
  );
}
