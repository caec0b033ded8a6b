import { Stack, Text } from '@mantine/core';
import { countItems } from '../../../../src-shared/display/itemTexts.ts';
import { itemKindNouns } from '../../../../src-shared/domain/itemKinds.ts';
import type { ToolSignal } from '../../../api/index.ts';
import { formatCount, counted } from '../../../../src-shared/display/numbers.ts';
import { EmptyState } from '../../../ui/notices/EmptyState.tsx';
import { Notice } from '../../../ui/notices/Notice.tsx';
import { Section } from '../../../ui/panels/Section.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { ItemTable, type ListedItem } from './ItemTable.tsx';
import type { ServerDetail } from './serverDetail.ts';

interface ItemsTabProps {
  listing: NonNullable<ServerDetail['listing']>;
  selected: string | null;
  signals: ReadonlyMap<string, ToolSignal[]>;
  onItem: (item: ListedItem) => void;
}

/** What a server offers besides tools: its prompts, resources and resource templates. */
export function ItemsTab({ listing, selected, signals, onItem }: ItemsTabProps) {
  const { items } = listing;
  const lists = listing.listing.items;
  if (lists === undefined)
    return <EmptyState message="Prompts and resources appear here after the next check." />;
  const failed = lists.filter(({ status }) => status === 'failed');
  const rejected = lists.flatMap(({ kind, rejected: own }) =>
    own.map((each) => ({ ...each, kind })),
  );
  if (lists.every(({ status }) => status === 'not offered'))
    return <EmptyState message="The server announces no prompts and no resources." />;
  return (
    <Stack gap="md">
      {failed.map(({ kind, error }) => (
        <Notice key={kind} tone="warning">
          <Text>The {itemKindNouns[kind]}s could not be listed. The tools are not affected.</Text>
          <Text size="sm" mt={4}>
            <Foreign text={error ?? ''} limit={600} />
          </Text>
        </Notice>
      ))}
      {items.length > 0 && <p style={{ margin: 0 }}>{summary(items)}</p>}
      <ItemTable items={items} selected={selected} signals={signals} onOpen={onItem} />
      {rejected.length > 0 && (
        <Section title={`Rejected: ${counted(rejected.length, 'entry', 'entries')}`}>
          <ul style={{ margin: 0, paddingLeft: 20 }}>
            {rejected.map(({ kind, name, reason }, index) => (
              <li key={index}>
                {itemKindNouns[kind]}{' '}
                <span className="ts-mono">
                  <Foreign text={name} limit={200} />
                </span>
                {': '}
                <Foreign text={reason} limit={400} />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </Stack>
  );
}

/** Their number and size. Tools are counted elsewhere, so that no sum mixes the two. */
function summary(items: readonly ListedItem[]): string {
  const counts = items.flatMap(({ tokenCount }) => tokenCount ?? []);
  const tokens = formatCount(counts.reduce((sum, count) => sum + count, 0));
  const uncounted = items.length - counts.length;
  return (
    `${countItems(items)}. Their lists have ${tokens} tokens` +
    (uncounted > 0 ? `, without ${counted(uncounted, 'entry', 'entries')} not counted yet` : '') +
    '. A model doesn’t choose among them, so the numbers of the tools don’t include them.'
  );
}
