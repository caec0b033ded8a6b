import { Modal, Table, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { Keys } from './Keys.tsx';
import { useShortcuts, useSingleKeys } from './useShortcut.ts';

const inTables = [
  { keys: '↑ ↓ ← →', label: 'Move in a table or grid' },
  { keys: 'Home End', label: 'First or last row' },
  { keys: 'Enter', label: 'Open the row, or sort by the heading' },
  { keys: 'Space', label: 'Mark the row' },
  { keys: 'Esc', label: 'Close the topmost panel or dialog' },
];

/** All shortcuts that work on the current screen. */
export function ShortcutSheet({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const shortcuts = useShortcuts();
  const single = useSingleKeys();
  // A dialog returns the focus only if it was there, closed, before it opened.
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const usable = shortcuts.filter((shortcut) => single || shortcut.keys.startsWith('mod+'));
  const groups = [...new Set(usable.map((shortcut) => shortcut.group))];
  return (
    <>
      <span ref={setAnchor} hidden />
      <Modal
        opened={opened && anchor !== null}
        onClose={onClose}
        title="Keyboard shortcuts"
        size="md"
      >
        {groups.map((group) => (
          <Section
            key={group}
            title={group}
            rows={usable.filter((shortcut) => shortcut.group === group)}
          />
        ))}
        <Section title="Tables and panels" rows={inTables} />
        {!single && (
          <Text c="dimmed" mt="md">
            Single-key shortcuts are turned off in Settings.
          </Text>
        )}
      </Modal>
    </>
  );
}

function Section(props: { title: string; rows: readonly { keys: string; label: string }[] }) {
  const { title, rows } = props;
  return (
    <>
      <Title order={3} mt="md" mb="xs">
        {title}
      </Title>
      <Table verticalSpacing={4} withRowBorders={false}>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={`${row.keys} ${row.label}`}>
              <Table.Td>{row.label}</Table.Td>
              <Table.Td ta="right">
                <Keys keys={row.keys} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
}
