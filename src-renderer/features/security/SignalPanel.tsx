import { Button, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { textAt } from '../../../src-shared/domain/visibleText.ts';
import { detectorLabel, useApi } from '../../api/index.ts';
import { ErrorNotice } from '../../ui/notices/ErrorNotice.tsx';
import { Fields } from '../../ui/fields/Fields.tsx';
import { Foreign } from '../../ui/text/Foreign.tsx';
import { MarkedText } from '../../ui/text/MarkedText.tsx';
import { PlainText } from '../../ui/text/PlainText.tsx';
import { Section } from '../../ui/panels/Section.tsx';
import { SeverityBadge } from '../../ui/badges/SeverityBadge.tsx';
import { SidePanel } from '../../ui/panels/SidePanel.tsx';
import { Time } from '../../ui/text/Time.tsx';
import { showUndo } from '../../ui/notices/UndoNotice.tsx';
import { changedLines, type SignalRow } from './signalRows.ts';

/** One signal: the text, its place, why it matters, and the previous text. */
export function SignalPanel({
  row: { tool, finding },
  onClose,
}: {
  row: SignalRow;
  onClose: () => void;
}) {
  const text = textAt(tool.definition, finding.place);
  return (
    <SidePanel
      title={detectorLabel(finding.detector)}
      subtitle={
        <span className="ts-mono">
          <PlainText text={`${finding.server}:${finding.tool}`} />
        </span>
      }
      onClose={onClose}
      contentKey={finding.fingerprint}
    >
      <Text mb="md">
        <Foreign text={finding.why} limit={1000} />
      </Text>
      <MarkedText
        text={text ?? finding.text}
        span={text === null ? [0, finding.text.length] : finding.span}
      />
      <div style={{ margin: '16px 0' }}>
        <Fields
          rows={[
            { name: 'Severity', value: <SeverityBadge severity={finding.severity} /> },
            { name: 'Category', value: finding.category.replaceAll('_', ' ') },
            {
              name: 'Rule',
              value: (
                <span className="ts-mono">
                  <PlainText text={finding.rule} />
                </span>
              ),
            },
            {
              name: 'Place',
              value: (
                <span className="ts-mono" style={{ overflowWrap: 'anywhere' }}>
                  <PlainText text={finding.place} />
                </span>
              ),
            },
            { name: 'Characters', value: `${finding.span[0]}–${finding.span[1]}` },
            ...(tool.serverId === null
              ? []
              : [
                  {
                    name: 'Tool',
                    value: (
                      <Link to={`/servers/${tool.serverId}?tool=${encodeURIComponent(tool.tool)}`}>
                        open it at its server
                      </Link>
                    ),
                  },
                ]),
          ]}
        />
      </div>
      {tool.change !== null && <Change {...tool.change} />}
      <Acceptance serverId={tool.serverId} finding={finding} />
    </SidePanel>
  );
}

function Change({ at, before, after }: { at: string; before: string; after: string }) {
  const { removed, added } = changedLines(before, after);
  const lines = [
    ...removed.map((line) => ({ sign: '−', line })),
    ...added.map((line) => ({ sign: '+', line })),
  ];
  return (
    <Section
      title="Changed since it was last another"
      aside={
        <Text size="sm" c="dimmed" component="span">
          <Time iso={at} />
        </Text>
      }
    >
      <div className="ts-panel" style={{ padding: '8px 12px' }}>
        {lines.slice(0, 200).map(({ sign, line }, index) => (
          <div
            key={index}
            className="ts-mono"
            style={{
              fontSize: 13,
              overflowWrap: 'anywhere',
              color: sign === '+' ? 'var(--ts-danger-ink)' : 'var(--ts-ink-muted)',
            }}
          >
            <span aria-label={sign === '+' ? 'added' : 'removed'} role="img">
              {sign}
            </span>{' '}
            <Foreign text={line} limit={600} />
          </div>
        ))}
        {lines.length > 200 && (
          <Text size="sm" c="dimmed">
            and {lines.length - 200} more lines
          </Text>
        )}
      </div>
    </Section>
  );
}

function Acceptance({
  serverId,
  finding,
}: {
  serverId: string | null;
  finding: SignalRow['finding'];
}) {
  const { client } = useApi();
  const cache = useQueryClient();
  const [reason, setReason] = useState('');
  const { fingerprint, accepted } = finding;
  const withdraw = async (): Promise<void> => {
    await client.security.withdraw({ fingerprint });
    await cache.invalidateQueries();
  };
  const accept = useMutation({
    mutationFn: () => client.security.accept({ serverId: serverId ?? '', fingerprint, reason }),
    onSuccess: async () => {
      await cache.invalidateQueries();
      showUndo('Accepted. It stays so until the tool changes.', withdraw);
    },
  });
  const takeBack = useMutation({ mutationFn: withdraw });
  if (accepted !== null) {
    return (
      <Section title="Accepted">
        <Text mb="sm">
          <Foreign text={accepted.reason} limit={2000} />{' '}
          <Text span c="dimmed">
            <Time iso={accepted.at} />
          </Text>
        </Text>
        <Button
          variant="default"
          loading={takeBack.isPending}
          onClick={() => {
            takeBack.mutate();
          }}
        >
          Count it again
        </Button>
      </Section>
    );
  }
  if (serverId === null) return null;
  return (
    <Section title="Take it for harmless">
      <Stack gap="sm">
        <Textarea
          label="Reason"
          description="Holds for this content of the tool: when the tool changes, the signal is back."
          value={reason}
          onChange={(event) => {
            setReason(event.currentTarget.value);
          }}
          autosize
          minRows={2}
          maxLength={2000}
        />
        {accept.isError && <ErrorNotice error={accept.error} />}
        <Button
          style={{ alignSelf: 'start' }}
          disabled={reason.trim().length < 3}
          loading={accept.isPending}
          onClick={() => {
            accept.mutate();
          }}
        >
          Accept this signal
        </Button>
      </Stack>
    </Section>
  );
}
