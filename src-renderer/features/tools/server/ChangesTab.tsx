import { Group, Stack } from '@mantine/core';
import { Action } from '../../../ui/fields/Action.tsx';
import { Notice } from '../../../ui/notices/Notice.tsx';
import { formatCount } from '../../../../src-shared/display/numbers.ts';
import { Time } from '../../../ui/text/Time.tsx';
import { HistorySection } from './HistorySection.tsx';
import type { ServerDetail } from './serverDetail.ts';
import { useServerActions } from './useServerActions.ts';

interface ChangesTabProps {
  detail: ServerDetail;
  /** How many tools and other items changed since a person reviewed them; null if none did. */
  changed: string | null;
  checking: boolean;
  onCheck: () => void;
}

/** What changed in the tools since a person saw them, and every listing before. */
export function ChangesTab({ detail, changed, checking, onCheck }: ChangesTabProps) {
  const { server, listChanges } = detail;
  const { review } = useServerActions(server.id);
  return (
    <>
      <Stack gap="sm" mb={changed !== null || listChanges !== null ? 'md' : 0}>
        {changed !== null && (
          <Notice tone="warning">
            <Group justify="space-between" gap="sm">
              <span>{changed} changed since you last reviewed them.</span>
              <Action label="Mark as reviewed" small run={review} />
            </Group>
          </Notice>
        )}
        {listChanges !== null && (
          <Notice tone="warning">
            <Group justify="space-between" gap="sm">
              <span>
                The server reported <Time iso={listChanges.at} /> that its tools have changed
                {listChanges.times > 1 && ` (${formatCount(listChanges.times)} times)`}. The tools
                below are from the last listing.
              </span>
              <Action label="Connect again" small disabled={checking} onClick={onCheck} />
            </Group>
          </Notice>
        )}
      </Stack>
      <HistorySection serverId={server.id} />
    </>
  );
}
