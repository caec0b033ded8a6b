import { Group, Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { AddButton, RemoveButton } from '../../ui/fields/controls.tsx';
import { nextRow } from './taskForm.ts';

interface EditRowsProps<Row> {
  /** What each row is called, before its number: “Check”, “Setup call”. */
  label: string;
  rows: readonly Row[];
  /** What a row that is added begins with. */
  empty: Row;
  onRows: (rows: Row[]) => void;
  children: (row: Row, index: number, set: (part: Partial<Row>) => void) => ReactNode;
}

/** The elements of a list in a form, each with a button that removes it, and one that adds another. */
export function EditRows<Row extends { row: number }>(props: EditRowsProps<Row>) {
  const { label, rows, empty, onRows, children } = props;
  const name = label.charAt(0).toLowerCase() + label.slice(1);
  return (
    <Stack gap="sm">
      {rows.map((row, index) => (
        <Paper key={row.row} withBorder p="md" role="group" aria-label={`${label} ${index + 1}`}>
          <Stack gap="md">
            <Group justify="space-between" wrap="nowrap">
              <Text size="sm" fw={500}>
                {label} {index + 1}
              </Text>
              <RemoveButton
                label={`Remove ${name} ${index + 1}`}
                onClick={() => onRows(rows.filter((other) => other.row !== row.row))}
              />
            </Group>
            {children(row, index, (part) =>
              onRows(rows.map((other) => (other.row === row.row ? { ...other, ...part } : other))),
            )}
          </Stack>
        </Paper>
      ))}
      <AddButton
        label={`Add ${name}`}
        onClick={() => onRows([...rows, { ...empty, row: nextRow(rows) }])}
      />
    </Stack>
  );
}
