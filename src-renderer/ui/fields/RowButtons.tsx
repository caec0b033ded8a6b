import { ActionIcon, type ActionIconProps, Button, Group } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { MouseEvent } from 'react';

/** Adds a row to a list of fields. */
export function AddButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Group>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={onClick}
      >
        {label}
      </Button>
    </Group>
  );
}

interface RemoveButtonProps extends ActionIconProps {
  label: string;
  onClick: (event: MouseEvent) => void;
}

/** Removes a row of a list. */
export function RemoveButton({ label, ...props }: RemoveButtonProps) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} {...props}>
      <IconTrash size={16} />
    </ActionIcon>
  );
}
