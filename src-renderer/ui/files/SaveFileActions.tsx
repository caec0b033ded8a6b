import { Button, Group } from '@mantine/core';

interface SaveFileActsProps {
  /** Something does not go into the file: whoever saves it says so. */
  lossy: boolean;
  onSave: () => void;
  onClose: () => void;
}

/** The foot of an export: the file is saved and the dialog closed, or only the latter. */
export function SaveFileActions({ lossy, onSave, onClose }: SaveFileActsProps) {
  return (
    <Group>
      <Button
        onClick={() => {
          onSave();
          onClose();
        }}
      >
        {lossy ? 'Save it all the same' : 'Save file'}
      </Button>
      <Button variant="default" onClick={onClose}>
        Cancel
      </Button>
    </Group>
  );
}
