import { Group, Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { RemoveButton } from '../../ui/fields/Action.tsx';

interface EditRowProps {
  /** Such as “Check 2”. */
  label: string;
  onRemove: () => void;
  children: ReactNode;
}

/** One element of a list in a form, with a button that removes it. */
export function EditRow({ label, onRemove, children }: EditRowProps) {
  return (
    <Paper withBorder p="md" role="group" aria-label={label}>
      <Stack gap="md">
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm" fw={500}>
            {label}
          </Text>
          <RemoveButton label={`Remove ${label.toLowerCase()}`} onClick={onRemove} />
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}
