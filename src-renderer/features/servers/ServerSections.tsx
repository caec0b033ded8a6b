import { Button, Text } from '@mantine/core';
import type { z } from 'zod';
import type { Listing, serverDetail } from '../../../src-shared/contract/servers.ts';
import type { ToolSignal } from '../../api/index.ts';
import { CodeView } from '../../ui/text/CodeView.tsx';
import { EmptyState } from '../../ui/notices/EmptyState.tsx';
import { Fields } from '../../ui/fields/Fields.tsx';
import { Foreign } from '../../ui/text/Foreign.tsx';
import { PlainText } from '../../ui/text/PlainText.tsx';
import { Notice } from '../../ui/notices/Notice.tsx';
import { Section } from '../../ui/panels/Section.tsx';
import { Time } from '../../ui/text/Time.tsx';
import { counted } from '../../ui/text/words.ts';
import { HistorySection } from './HistorySection.tsx';
import { formatNames } from './import/formatNames.ts';
import { SignInSection } from './SignInSection.tsx';
import { VariablesSection } from './VariablesSection.tsx';
import { transportNames } from './serverState.ts';
import { ToolTable } from './ToolTable.tsx';

export type ServerDetail = z.infer<typeof serverDetail>;

interface ServerSectionsProps {
  detail: ServerDetail;
  selectedTool: string | null;
  narrow: boolean;
  signals: ReadonlyMap<string, ToolSignal[]>;
  onTool: (name: string) => void;
  onCheck: () => void;
  checking: boolean;
}

export function ServerSections({
  detail,
  selectedTool,
  narrow,
  signals,
  onTool,
  onCheck,
  checking,
}: ServerSectionsProps) {
  const { server, greeting, listing, stderr } = detail;
  const info = listing?.listing ?? null;
  return (
    <>
      {server.status === 'failed' && server.statusReason !== null && (
        <Section title="Why it is unreachable">
          <Notice tone="danger">
            <Foreign text={server.statusReason} />
            {listing !== null && (
              <Text size="sm" mt={4}>
                The tools below are stored from <Time iso={listing.listedAt} />.
              </Text>
            )}
          </Notice>
        </Section>
      )}
      {detail.signIn !== null && <SignInSection server={server} state={detail.signIn} />}
      {detail.variables.length > 0 && (
        <VariablesSection serverId={server.id} variables={detail.variables} />
      )}
      <Section title="Tools" aside={listing === null ? null : <ListedAt listing={listing} />}>
        {listing === null ? (
          <EmptyState
            message="The tools appear here once the server has been checked."
            action={
              <Button variant="default" loading={checking} onClick={onCheck}>
                Check server
              </Button>
            }
          />
        ) : (
          <ToolTable
            tools={listing.tools}
            selected={selectedTool}
            narrow={narrow}
            signals={signals}
            onOpen={(tool) => {
              onTool(tool.name);
            }}
          />
        )}
      </Section>
      {info !== null && info.rejected.length > 0 && (
        <Section title={`Rejected: ${counted(info.rejected.length, 'tool')}`}>
          <Notice tone="warning">
            <Text>These tools can’t be offered to a model. The other tools are not affected.</Text>
            <ul style={{ margin: '8px 0 0', paddingLeft: 20 }}>
              {info.rejected.map((tool, index) => (
                <li key={index}>
                  <span className="ts-mono">
                    <Foreign text={tool.name === '' ? '(no name)' : tool.name} limit={200} />
                  </span>
                  {': '}
                  <Foreign text={tool.reason} limit={400} />
                </li>
              ))}
            </ul>
          </Notice>
        </Section>
      )}
      {greeting.instructions !== null && greeting.instructions !== '' && (
        <Section title="Instructions">
          <div className="ts-panel" style={{ padding: '12px 16px' }}>
            <Foreign text={greeting.instructions} block />
          </div>
        </Section>
      )}
      {listing !== null && <HistorySection serverId={server.id} />}
      <Section title="Connection">
        <div className="ts-panel" style={{ padding: '8px 16px' }}>
          <Fields rows={connectionRows(detail)} />
        </div>
      </Section>
      {stderr !== '' && (
        <Section title="Standard error output">
          <CodeView text={stderr} label="Last lines" maxHeight={240} />
        </Section>
      )}
    </>
  );
}

function ListedAt({ listing: { listedAt, askedBy } }: { listing: Listing }) {
  return (
    <Text size="sm" c="dimmed" component="span">
      from <Time iso={listedAt} />
      {askedBy === 'evaluation' && ' by an evaluation'}
    </Text>
  );
}

/**
 * The protocol era that was negotiated. There are two handshakes, and the client finds out which
 * one a server supports.
 */
function eraOf(version: string): string {
  return version >= '2026-07-28'
    ? `${version} (starts with server/discover)`
    : `${version} (starts with initialize)`;
}

function connectionRows({ server, greeting, origin }: ServerDetail) {
  const dash = <span aria-label="not known">–</span>;
  const named = greeting.serverInfo;
  return [
    { name: 'Transport', value: transportNames[server.config.transport] },
    ...(server.config.transport === 'stdio'
      ? [
          { name: 'Working folder', value: server.config.cwd ?? 'Touchstone’s working folder' },
          { name: 'Environment', value: names(Object.keys(server.config.env)) },
        ]
      : [{ name: 'Headers', value: names(Object.keys(server.config.headers)) }]),
    { name: 'Last reachable', value: <Time iso={server.lastConnectedAt} /> },
    { name: 'Reported name', value: named === null ? dash : `${named.name} ${named.version}` },
    {
      name: 'Protocol version',
      value: greeting.protocolVersion === null ? dash : eraOf(greeting.protocolVersion),
    },
    {
      name: 'Source',
      value:
        origin === null ? (
          'Added by hand'
        ) : (
          <PlainText
            text={`${formatNames[origin.format]}${origin.fileName === null ? '' : `: ${origin.fileName}`}`}
          />
        ),
    },
  ];
}

function names(list: string[]): string {
  return list.length === 0 ? 'none set' : `${list.join(', ')} (values not shown)`;
}
