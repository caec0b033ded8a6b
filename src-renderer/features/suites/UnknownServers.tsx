import { Group, Select, Stack, Text } from '@mantine/core';
import { Action } from '../../ui/fields/Action.tsx';
import type { ImportPreview } from '../../../src-shared/contract/suites.ts';
import { Notice } from '../../ui/notices/Notice.tsx';
import { PlainText } from '../../ui/text/PlainText.tsx';
import { formatCount, counted } from '../../../src-shared/display/numbers.ts';

interface UnknownServersProps {
  unknown: ImportPreview['unknownServers'];
  /** Names of the registered servers. */
  known: readonly string[];
  onRename: (names: Record<string, string>) => void;
}

const shownServers = 20;

/** Servers of the file that are not registered, with the registered server to use instead. */
export function UnknownServers({ unknown, known, onRename }: UnknownServersProps) {
  const suggested = unknown.filter(({ suggestion }) => suggestion !== null);
  return (
    <Notice tone="warning">
      <Stack gap="sm">
        <Text>
          {unknown.length === 1 ? 'A server of the file is' : 'Some servers of the file are'} not
          registered here. Use a registered server instead, or import the cases and add the server
          before you run them.
        </Text>
        {unknown.slice(0, shownServers).map(({ name, tools, suggestion }) => (
          <Group key={name} gap="sm">
            <Text size="sm" className="ts-foreign" style={{ flex: '1 1 160px' }}>
              <PlainText text={name} />{' '}
              <Text span c="dimmed">
                ({counted(tools, 'tool')} used)
              </Text>
            </Text>
            <Select
              size="xs"
              w={240}
              aria-label={`Server to use instead of ${name}`}
              placeholder="Keep the name"
              clearable
              data={known.map((server) => ({
                value: server,
                label: server === suggestion ? `${server} (has all these tools)` : server,
              }))}
              value={null}
              onChange={(server) => {
                if (server !== null) onRename({ [name]: server });
              }}
            />
          </Group>
        ))}
        {unknown.length > shownServers && (
          <p className="ts-quiet">And {counted(unknown.length - shownServers, 'more server')}.</p>
        )}
        {suggested.length > 0 && (
          <Group>
            <Action
              label={
                suggested.length === 1
                  ? `Use ${suggested[0]?.suggestion ?? ''} instead of ${suggested[0]?.name ?? ''}`
                  : `Use the ${formatCount(suggested.length)} servers that have the same tools`
              }
              small
              onClick={() =>
                onRename(
                  Object.fromEntries(
                    suggested.map(({ name, suggestion }) => [name, suggestion ?? name]),
                  ),
                )
              }
            />
          </Group>
        )}
      </Stack>
    </Notice>
  );
}
