import { Button, Group } from '@mantine/core';

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
      <Button
        onClick={() => {
          onSave();
          onClose();
        }}
      >
        {lossy ? 'Save anyway' : 'Save file'}
      </Button>
      <Button variant="default" onClick={onClose}>
        Cancel
      </Button>
    </Group>
  );
}
