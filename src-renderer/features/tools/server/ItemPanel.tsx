import { Text } from '@mantine/core';
import { itemKindNouns } from '../../../../src-shared/domain/itemKinds.ts';
import type { ToolSignal } from '../../../api/index.ts';
import { SignalList } from '../../../ui/badges/SignalList.tsx';
import { formatCount } from '../../../../src-shared/display/numbers.ts';
import { Fields } from '../../../ui/fields/Fields.tsx';
import { SidePanel } from '../../../ui/panels/SidePanel.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { PlainText } from '../../../ui/text/PlainText.tsx';
import type { ListedItem } from './ItemTable.tsx';

/** Everything that a server says about one prompt, resource or resource template. */
export function ItemPanel(props: {
  item: ListedItem;
  signals: readonly ToolSignal[];
  onClose: () => void;
}) {
  const { item, signals, onClose } = props;
  const { kind, name, title, description, uri, mimeType, tokenCount, hash } = item;
  return (
    <SidePanel
      title={
        <span className="ts-mono">
          <PlainText text={name} />
        </span>
      }
      subtitle={title ?? undefined}
      onClose={onClose}
      contentKey={hash}
    >
      {description === '' ? (
        <Text c="dimmed">This {itemKindNouns[kind]} has no description.</Text>
      ) : (
        <Foreign text={description} block />
      )}
      <div style={{ margin: '16px 0' }}>
        <Fields
          rows={[
            { name: 'Kind', value: itemKindNouns[kind] },
            ...(uri === null
              ? []
              : [{ name: 'Address', value: <Foreign text={uri} limit={2_000} /> }]),
            ...(mimeType === null
              ? []
              : [{ name: 'Media type', value: <Foreign text={mimeType} limit={200} /> }]),
            { name: 'Tokens', value: tokenCount === null ? '–' : formatCount(tokenCount) },
            { name: 'Content hash', value: <span className="ts-mono">{hash.slice(0, 16)}</span> },
          ]}
        />
      </div>
      {item.arguments.length > 0 && (
        <>
          <Text size="sm" fw={600} mb={4}>
            Arguments
          </Text>
          <Fields
            rows={item.arguments.map((argument) => ({
              name: `${argument.name}${argument.required ? ' (required)' : ''}`,
              value: argument.description ?? 'no description',
            }))}
          />
        </>
      )}
      {signals.length > 0 && (
        <>
          <Text size="sm" fw={600} mt="md" mb={4}>
            Signals
          </Text>
          <SignalList signals={signals} />
        </>
      )}
    </SidePanel>
  );
}
