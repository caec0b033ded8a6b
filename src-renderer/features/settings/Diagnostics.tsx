import { formatBytes } from '../../../src-shared/display/numbers.ts';
import { Text, Group } from '@mantine/core';
import type { WorkspaceInfo } from '../../../src-shared/domain/settings.ts';
import { useRead } from '../../api/index.ts';
import { CopyButton } from '../../ui/text/CopyButton.tsx';
import { Fields } from '../../ui/fields/Fields.tsx';
import { Loaded } from '../../ui/notices/notices.tsx';
import { PlainText } from '../../ui/text/Foreign.tsx';
import { Section } from '../../ui/panels/panels.tsx';
import { useEffect, useRef } from 'react';
import { Action } from '../../ui/fields/controls.tsx';

const hostsRow = 'Hosts contacted';
const hosts = { electron: 'Electron window', loopback: 'loopback window', cli: 'command line' };

function rows(info: WorkspaceInfo): { name: string; value: string }[] {
  return [
    { name: 'Version', value: info.version },
    { name: 'Runs as', value: hosts[info.host] },
    { name: 'Platform', value: info.platform },
    { name: 'Node', value: info.nodeVersion },
    { name: 'SQLite', value: info.sqliteVersion },
    { name: 'Schema', value: String(info.schemaVersion) },
    {
      name: hostsRow,
      value: info.contactedHosts.length === 0 ? 'none' : info.contactedHosts.join(', '),
    },
  ];
}

/**
 * Every host that this session has contacted over a network, including redirects. What a server
 * does by itself isn't included.
 */
function ContactedHosts({ hosts }: { hosts: readonly string[] }) {
  return (
    <Section
      title={hostsRow}
      aside={hosts.length > 0 && <CopyButton text={hosts.join('\n')} label="Copy hosts" />}
    >
      <Text c="dimmed" size="sm" mb="xs">
        Contacted by Touchstone since it started: model endpoints, remote servers, and HTTP tools.
        There is no telemetry, update check, or account. Local servers are separate programs;
        Touchstone doesn’t see what they contact.
      </Text>
      {hosts.length === 0 ? (
        <Text size="sm">None.</Text>
      ) : (
        <ul
          className="ts-panel ts-mono"
          aria-label={hostsRow}
          style={{ margin: 0, padding: '8px 16px 8px 32px' }}
        >
          {hosts.map((host) => (
            <PlainText key={host} as="li" text={host} />
          ))}
        </ul>
      )}
    </Section>
  );
}

/** Where the data is and which versions are in use, to read and to copy. */
export function Diagnostics() {
  const info = useRead((ask) => ask.settings.info, { staleTime: 0 });
  return (
    <Loaded query={info} blocks={[80, 200]}>
      {(data) => (
        <>
          <Section title="Data folder" aside={<CopyButton text={data.folder} label="Copy path" />}>
            <div className="ts-panel" style={{ padding: '8px 16px' }}>
              <Fields
                rows={[
                  { name: 'Folder', value: <span className="ts-mono">{data.folder}</span> },
                  { name: 'Database', value: <span className="ts-mono">{data.databaseFile}</span> },
                  { name: 'Size', value: formatBytes(data.databaseBytes) },
                  { name: 'Opened', value: data.readOnly ? 'read-only' : 'read and write' },
                ]}
              />
            </div>
          </Section>
          <Section
            title="Diagnostics"
            aside={
              <CopyButton
                label="Copy diagnostics"
                text={() =>
                  rows(data)
                    .map((row) => `${row.name}: ${row.value}`)
                    .join('\n')
                }
              />
            }
          >
            <div className="ts-panel" style={{ padding: '8px 16px' }}>
              <Fields rows={rows(data).filter(({ name }) => name !== hostsRow)} />
            </div>
          </Section>
          <ContactedHosts hosts={data.contactedHosts} />
          <LogSection />
        </>
      )}
    </Loaded>
  );
}

const shownLines = 200;

function LogSection() {
  const log = useRead((ask) => ask.settings.log, { input: { lines: shownLines }, staleTime: 0 });
  const text = log.data?.lines.join('\n') ?? '';
  const shown = useRef<HTMLPreElement>(null);
  // Scrolls to the newest line, which is what people look for.
  useEffect(() => {
    shown.current?.scrollTo({ top: shown.current.scrollHeight });
  }, [text]);
  return (
    <Section
      title="Log"
      aside={
        <Group gap="xs">
          <Action
            label="Refresh"
            variant="subtle"
            color="gray"
            c="var(--ts-ink-muted)"
            size="compact-xs"
            loading={log.isFetching}
            onClick={() => void log.refetch()}
          />
          <CopyButton text={text} label="Copy log" />
        </Group>
      }
    >
      <Loaded query={log} blocks={[120]}>
        {({ file, lines }) => (
          <>
            <Text c="dimmed" size="sm" mb="xs">
              {file === null ? (
                'No log is written here.'
              ) : (
                <>
                  The last {shownLines} lines of <span className="ts-mono">{file}</span>. Keys are
                  redacted. The log stays on this computer unless you send it.
                </>
              )}
            </Text>
            {file !== null && lines.length === 0 && <Text size="sm">The log is empty.</Text>}
            {lines.length > 0 && (
              <pre
                ref={shown}
                role="region"
                className="ts-panel ts-mono ts-foreign"
                tabIndex={0}
                aria-label="End of the log"
                style={{
                  margin: 0,
                  padding: 12,
                  maxHeight: 260,
                  overflow: 'auto',
                  whiteSpace: 'pre-wrap',
                  fontSize: 12,
                }}
              >
                <PlainText text={text} />
              </pre>
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}
