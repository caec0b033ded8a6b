import { formatCount, counted } from '../../../../../src-shared/display/numbers.ts';
import { Text } from '@mantine/core';
import { useState } from 'react';
import type { SnapshotTool, ToolSnapshot } from '../../../../../src-shared/domain/tool.ts';
import { toolId } from '../../../../../src-shared/domain/labels.ts';
import { useToolSignals, worstSignal } from '../../../../api/index.ts';
import { JsonText } from '../../../../ui/text/CodeView.tsx';
import { Cut, Foreign, PlainText } from '../../../../ui/text/Foreign.tsx';
import {
  codeColumn,
  column,
  type Column,
  DataTable,
  textColumn,
} from '../../../../ui/table/DataTable.tsx';
import { EmptyState } from '../../../../ui/notices/notices.tsx';
import { Section } from '../../../../ui/panels/panels.tsx';
import { SeverityBadge } from '../../../../ui/badges/SeverityBadge.tsx';
import { SignalList } from '../../../../ui/badges/SignalList.tsx';
import { StatusBadge } from '../../../../ui/badges/StatusBadge.tsx';
import classes from '../../evaluations.module.css';

const columns: Column<SnapshotTool>[] = [
  textColumn('server', 'Server', 110, (tool) => tool.server),
  codeColumn('name', 'Tool', 'minmax(130px, 0.6fr)', (tool) => tool.name),
  column('description', 'Description', 'minmax(200px, 1.4fr)', {}, (tool) =>
    tool.description === '' ? <p className="ts-quiet">none</p> : <Cut text={tool.description} />,
  ),
  column('hash', 'Content', 96, {}, (tool) => (
    <span className="ts-mono" title={tool.hash}>
      {tool.hash.slice(0, 8)}…
    </span>
  )),
];

/** The tools as frozen when the evaluation started, whatever the servers offer today. */
export function SnapshotTab(props: { evaluationId: string; snapshot: ToolSnapshot | null }) {
  const { evaluationId, snapshot } = props;
  const [open, setOpen] = useState<string | null>(null);
  const signals = useToolSignals(snapshot === null ? null : { evaluationId });
  if (snapshot === null)
    return <EmptyState message="No tools yet: the servers haven't answered." />;
  const shown = snapshot.tools.find((tool) => String(tool.snapshotToolId) === open);
  return (
    <>
      <Section title="Servers">
        <ul className={classes.list}>
          {snapshot.servers.map((listing) => (
            <li key={listing.server}>
              <StatusBadge
                tone={listing.status === 'listed' ? 'good' : 'bad'}
                label={listing.status === 'listed' ? 'Listed' : 'Failed'}
              />{' '}
              <Foreign text={listing.server} />
              {listing.status === 'listed' &&
                ', ' +
                  counted(
                    snapshot.tools.filter((tool) => tool.server === listing.server).length,
                    'tool',
                  )}
              {listing.serverInfo !== null && (
                <span className="ts-quiet">
                  {' '}
                  <PlainText text={`${listing.serverInfo.name} ${listing.serverInfo.version}`} />
                </span>
              )}
              {listing.error !== null && (
                <Text size="sm" c="var(--ts-danger-ink)">
                  <Foreign text={listing.error} limit={1000} />
                </Text>
              )}
              {listing.rejected.map((tool) => (
                <p key={tool.name} className="ts-quiet">
                  Rejected:{' '}
                  <Foreign text={`${tool.name || '(no name)'}: ${tool.reason}`} limit={400} />
                </p>
              ))}
            </li>
          ))}
        </ul>
      </Section>
      <Section title={`Tools (${formatCount(snapshot.tools.length)})`}>
        <DataTable
          label="Tools of the snapshot"
          columns={[
            ...columns,
            {
              id: 'signals',
              header: 'Signals',
              hint: 'What the security detectors find in the frozen tool.',
              width: 110,
              cell: (tool) => {
                const worst = worstSignal(signals.get(toolId(tool.server, tool.name)));
                return worst === null ? (
                  <span className="ts-quiet">–</span>
                ) : (
                  <SeverityBadge {...worst} />
                );
              },
            },
          ]}
          rows={snapshot.tools}
          rowKey={(tool) => String(tool.snapshotToolId)}
          selected={open}
          onOpen={(tool) => {
            const key = String(tool.snapshotToolId);
            setOpen(key === open ? null : key);
          }}
          maxHeight="360px"
          empty="The servers offered no tools."
        />
        {shown !== undefined && (
          <div className={classes.panelBody}>
            <Text fw={600} className="ts-mono">
              <PlainText text={`${shown.server}:${shown.name}`} />
            </Text>
            <Foreign
              block
              text={shown.description === '' ? 'No description.' : shown.description}
            />
            <SignalList signals={signals.get(toolId(shown.server, shown.name)) ?? []} />
            <JsonText label="Input schema" value={shown.inputSchema} maxHeight={280} />
          </div>
        )}
      </Section>
    </>
  );
}
