import { Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Action, typed } from '../../../ui/fields/controls.tsx';
import { toolAddress } from '../../../../src-shared/display/toolAddresses.ts';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import { Link } from 'react-router';
import type { SignalGroup } from '../../../../src-shared/display/signalGroups.ts';
import { itemKindNouns } from '../../../../src-shared/domain/itemKinds.ts';
import {
  causeText,
  reappearsNote,
  subjectName,
} from '../../../../src-shared/display/signalTexts.ts';
import { SeverityBadge } from '../../../ui/badges/SeverityBadge.tsx';
import { ErrorNotice, showUndo } from '../../../ui/notices/notices.tsx';
import { Section, SidePanel } from '../../../ui/panels/panels.tsx';
import { Foreign, PlainText } from '../../../ui/text/Foreign.tsx';
import { Time } from '../../../ui/text/Time.tsx';
import { changedLines } from './signalFilter.ts';
import { counted } from '../../../../src-shared/display/numbers.ts';
import { IconRobot, IconUser } from '@tabler/icons-react';
import type { ScannedTool, ToolFinding } from '../../../../src-shared/domain/security.ts';
import { replaceInvisible } from '../../../../src-shared/display/visibleText.ts';
import { textAt } from '../../../../src-shared/domain/jsonPointer.ts';
import { MarkedText } from '../../../ui/text/MarkedText.tsx';
import classes from './signals.module.css';
import { useMutation } from '@tanstack/react-query';
import { useApi } from '../../../api/index.ts';

const maxEvidence = 20;

/** One cause in one tool: every match in its text, what to do, and the previous text. */
export function SignalPanel({ group, onClose }: { group: SignalGroup; onClose: () => void }) {
  const { scanned, findings, severity, detector, title } = group;
  return (
    <SidePanel
      title={title}
      subtitle={
        <>
          <SeverityBadge severity={severity} /> ·{' '}
          <span className="ts-mono">
            <PlainText text={subjectName(scanned.server, scanned.tool)} />
          </span>{' '}
          · {findings[0].category.replaceAll('_', ' ')}
        </>
      }
      onClose={onClose}
      contentKey={group.key}
      footer={scanned.serverId === null ? undefined : <Safety group={group} />}
    >
      {scanned.firstSeenAt !== null && (
        <p className="ts-quiet">
          First seen <Time iso={scanned.firstSeenAt} />
        </p>
      )}
      {findings.slice(0, maxEvidence).map((finding, index) => (
        <Evidence key={index} scanned={scanned} finding={finding} />
      ))}
      {findings.length > maxEvidence && (
        <Text size="sm" c="dimmed" mt="md">
          and {findings.length - maxEvidence} more matches
        </Text>
      )}
      <div style={{ height: 20 }} />
      <Section title="What to do">
        <Text size="sm">{causeText(detector).advice}</Text>
        {scanned.serverId !== null && (
          <Text size="sm" mt="xs">
            <Link to={placeOf(scanned)}>
              {scanned.tool === ''
                ? 'Open server'
                : `Open ${scanned.item === undefined ? 'tool' : itemKindNouns[scanned.item.kind]}`}
            </Link>
          </Text>
        )}
      </Section>
      {scanned.change !== null && detector === 'rug_pull' && <Change {...scanned.change} />}
    </SidePanel>
  );
}

/** The page of a tool; of anything else, its place on the page of the server. */
function placeOf({ serverId, server, tool, item }: SignalGroup['scanned']): string {
  if (item !== undefined)
    return `/servers/${serverId}?tab=connection&item=${encodeURIComponent(`${item.kind} ${item.key}`)}`;
  return tool === '' ? `/servers/${serverId}` : toolAddress(toolId(server, tool));
}

function Change({ at, before, after }: { at: string; before: string; after: string }) {
  const { removed, added } = changedLines(before, after);
  const lines = [
    ...removed.map((line) => ({ sign: '−', line })),
    ...added.map((line) => ({ sign: '+', line })),
  ];
  return (
    <Section
      title="Changed since the last scan"
      aside={
        <span className="ts-quiet">
          <Time iso={at} />
        </span>
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
        {lines.length > 200 && <p className="ts-quiet">and {lines.length - 200} more lines</p>}
      </div>
    </Section>
  );
}

function Safety({ group }: { group: SignalGroup }) {
  const { mark, unmark } = useMarkAsSafe(group);
  const [reason, setReason] = useState('');
  if (group.safe !== null)
    return (
      <Stack gap="xs" w="100%">
        <Text size="sm">
          Marked as safe <Time iso={group.safe.at} />
          {group.safe.reason !== '' && (
            <>
              : <Foreign text={group.safe.reason} limit={2000} />
            </>
          )}
        </Text>
        <ErrorNotice error={unmark.error} />
        <Action label="Remove safe mark" style={{ alignSelf: 'start' }} run={unmark} />
      </Stack>
    );
  return (
    <Stack gap="xs" w="100%">
      <TextInput
        label="Reason (optional)"
        description={reappearsNote}
        {...typed(reason, setReason)}
        maxLength={2000}
      />
      <ErrorNotice error={mark.error} />
      <Action
        label="Mark as safe"
        style={{ alignSelf: 'start' }}
        loading={mark.isPending}
        onClick={() => mark.mutate(reason)}
      />
    </Stack>
  );
}

/**
 * One finding in its text. If invisible characters make the two differ, what a person sees comes
 * before what the model reads.
 */
function Evidence({ scanned, finding }: { scanned: ScannedTool; finding: ToolFinding }) {
  const whole = textAt(scanned.definition, finding.place);
  const text = whole ?? finding.text;
  const seen = replaceInvisible(text, () => '');
  const invisible = Array.from(text).length - Array.from(seen).length;
  return (
    <div className={classes.evidence}>
      <Text size="sm">
        <Foreign text={finding.why} limit={1000} />
      </Text>
      {invisible > 0 && (
        <>
          <div className={classes.reader}>
            <IconUser size={14} aria-hidden /> What a person sees
          </div>
          <Foreign as="div" className={classes.box} text={seen} limit={1200} />
        </>
      )}
      <div className={classes.reader}>
        <IconRobot size={14} aria-hidden /> What the model reads
        {invisible > 0 && (
          <span className={classes.chip}>{counted(invisible, 'invisible character')}</span>
        )}
      </div>
      <MarkedText text={text} span={whole === null ? [0, text.length] : finding.span} />
      <div className={classes.place}>
        {finding.source !== undefined && (
          <>
            <PlainText text={finding.source.file} />, line {finding.source.line} ·{' '}
          </>
        )}
        <PlainText text={finding.place} />, characters {finding.span[0]}–{finding.span[1]} · rule{' '}
        <PlainText text={finding.rule} />
      </div>
    </div>
  );
}

/** Marks all findings of a group as safe, with undo, and counts them again. */
function useMarkAsSafe({ scanned, findings }: SignalGroup) {
  const { client, reread } = useApi();
  const fingerprints = [...new Set(findings.map(({ fingerprint }) => fingerprint))];
  const withdraw = async (): Promise<void> => {
    await client.security.withdraw({ fingerprints });
    await reread();
  };
  const mark = useMutation({
    mutationFn: (reason: string) =>
      client.security.accept({ serverId: scanned.serverId ?? '', fingerprints, reason }),
    onSuccess: async () => {
      await reread();
      showUndo(`Marked as safe. ${reappearsNote}`, withdraw);
    },
  });
  const unmark = useMutation({ mutationFn: withdraw });
  return { mark, unmark };
}
