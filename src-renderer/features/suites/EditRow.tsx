import { ActionIcon, Group, Paper, Stack, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';

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
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Remove ${label.toLowerCase()}`}
            onClick={onRemove}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}
