import { Group } from '@mantine/core';
import { Action } from '../fields/Action.tsx';

interface SaveFileActionsProps {
  /** True if the file will not hold everything; the button then says so. */
  lossy: boolean;
  onSave: () => void;
  onClose: () => void;
}

/** The buttons of an export dialog: save the file and close, or only close. */
export function SaveFileActions({ lossy, onSave, onClose }: SaveFileActionsProps) {
  return (
    <Group>
      <Action
        label={lossy ? 'Save anyway' : 'Save file'}
        filled
        onClick={() => {
          onSave();
          onClose();
        }}
      />
      <Action label="Cancel" onClick={onClose} />
    </Group>
  );
}
