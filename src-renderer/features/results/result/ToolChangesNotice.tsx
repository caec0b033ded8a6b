import { Modal, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Action } from '../../../ui/fields/Action.tsx';
import type { EvaluationUnit } from '../../../../src-shared/domain/gate.ts';
import type { ToolChange } from '../../../../src-shared/contract/evaluations.ts';
import { describeChangeCounts, countChanges } from '../../../../src-shared/display/changeCounts.ts';
import { useApi } from '../../../api/index.ts';
import { ChangeList } from '../../../ui/text/ChangeList.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { Notice } from '../../../ui/notices/Notice.tsx';
import { Time } from '../../../ui/text/Time.tsx';
import classes from '../evaluations.module.css';

/**
 * Reports that the servers' tools differ from those last seen, or changed while cases or tasks ran.
 * Reloads when `state` changes.
 */
export function ToolChangesNotice(props: { unit: EvaluationUnit; id: string; state: string }) {
  const { unit, id, state } = props;
  const { client, queries } = useApi();
  const found = useQuery({
    queryKey: [...queries.evaluations.toolChanges.queryKey({ input: { unit, id } }), state],
    queryFn: () => client.evaluations.toolChanges({ unit, id }),
    placeholderData: keepPreviousData,
  });
  const [open, setOpen] = useState<ToolChange | null>(null);
  return (
    <>
      {found.data !== undefined && found.data.length > 0 && (
        <Stack gap="sm" mt="sm">
          {found.data.map((change) => (
            <Notice key={`${change.server} ${change.when}`} tone="warning">
              <span className={classes.noticeRow}>
                <span>
                  {change.when === 'before' ? (
                    <>
                      The tools of <Foreign text={change.server} limit={100} /> differ from those
                      listed <Time iso={change.seenAt} />:{' '}
                      {describeChangeCounts(countChanges(change.changes))}. This evaluation used the
                      new tools.
                    </>
                  ) : (
                    <>
                      The tools of <Foreign text={change.server} limit={100} /> changed during the
                      evaluation, noticed <Time iso={change.seenAt} />:{' '}
                      {describeChangeCounts(countChanges(change.changes))}. It used the earlier
                      tools.
                    </>
                  )}
                </span>
                <Action label="Show changes" small onClick={() => setOpen(change)} />
              </span>
            </Notice>
          ))}
        </Stack>
      )}
      {open !== null && (
        <Modal
          opened
          onClose={() => setOpen(null)}
          title={<Text fw={600}>What changed in {open.server}</Text>}
          size="xl"
        >
          <ChangeList changes={open.changes} />
        </Modal>
      )}
    </>
  );
}
