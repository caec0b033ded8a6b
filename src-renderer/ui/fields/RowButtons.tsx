import { ActionIcon, type ActionIconProps, Group } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { MouseEvent } from 'react';
import { Action } from './Action.tsx';

/** Adds a row to a list of fields. */
export function AddButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Group>
      <Action label={label} small icon={IconPlus} onClick={onClick} />
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
