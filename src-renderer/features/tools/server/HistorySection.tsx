import { Group, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { Action } from '../../../ui/fields/controls.tsx';
import type { ListingState } from '../../../../src-shared/contract/servers.ts';
import { describeChangeCounts } from '../../../../src-shared/display/changeCounts.ts';
import { useRead } from '../../../api/index.ts';
import { ChangeList } from '../../../ui/text/ChangeList.tsx';
import { EmptyState, Loaded } from '../../../ui/notices/notices.tsx';
import { RowList, Section } from '../../../ui/panels/panels.tsx';
import { Time } from '../../../ui/text/Time.tsx';
import { counted } from '../../../../src-shared/display/numbers.ts';

interface Pair {
  before: ListingState;
  after: ListingState;
}

/** Each seen state of the server's tools, with the changes from one to the next. */
export function HistorySection({ serverId }: { serverId: string }) {
  const [open, setOpen] = useState<Pair | null>(null);
  const history = useRead((ask) => ask.servers.history, { input: { id: serverId, limit: 50 } });
  return (
    <Section title="Change history">
      <Loaded query={history} blocks={[48]}>
        {(states) =>
          states.length === 0 ? (
            <EmptyState message="What changes in the tools appears here. The server hasn’t listed any yet: connect first." />
          ) : (
            <RowList label="Change history">
              {states.map((state, index) => {
                const before = states[index + 1];
                return (
                  <li key={`${state.snapshotId} ${state.firstAt}`}>
                    <Group component="span" gap="4px 12px">
                      <Text size="sm" fw={500} className="ts-number">
                        {counted(state.tools, 'tool')}
                      </Text>
                      <p className="ts-quiet">
                        {Date.parse(state.lastAt) - Date.parse(state.firstAt) < 60_000 ? (
                          <>
                            seen <Time iso={state.lastAt} />
                          </>
                        ) : (
                          <>
                            seen <Time iso={state.firstAt} /> to <Time iso={state.lastAt} />
                          </>
                        )}
                        {state.askedBy !== 'person' && ', not reviewed'}
                      </p>
                      <Text size="sm">
                        {state.changes === null
                          ? 'first listing'
                          : describeChangeCounts(state.changes)}
                      </Text>
                    </Group>
                    {before !== undefined && state.changes !== null && (
                      <Action
                        label="Show changes"
                        small
                        onClick={() => setOpen({ before, after: state })}
                      />
                    )}
                  </li>
                );
              })}
            </RowList>
          )
        }
      </Loaded>
      {open !== null && (
        <ChangesDialog serverId={serverId} pair={open} onClose={() => setOpen(null)} />
      )}
    </Section>
  );
}

function ChangesDialog(props: { serverId: string; pair: Pair; onClose: () => void }) {
  const { serverId, pair, onClose } = props;
  const changes = useRead((ask) => ask.servers.changes, {
    input: { id: serverId, before: pair.before.snapshotId, after: pair.after.snapshotId },
  });
  return (
    <Modal opened onClose={onClose} size="xl" title="What changed">
      <Loaded query={changes} blocks={[160]}>
        {(found) => <ChangeList changes={found} />}
      </Loaded>
    </Modal>
  );
}
