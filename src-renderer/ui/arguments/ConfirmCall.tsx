import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { Foreign } from '../text/Foreign.tsx';
import { JsonText } from '../text/JsonText.tsx';

interface ConfirmCallProps {
  tool: string;
  /** What the call may do. */
  effect: string;
  args: unknown;
  onCall: () => void;
  onClose: () => void;
}

/** Asks before a call that may destroy something, and shows the exact arguments. */
export function ConfirmCall({ tool, effect, args, onCall, onClose }: ConfirmCallProps) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={
        <>
          Call “<Foreign text={tool} limit={120} />
          ”?
        </>
      }
    >
      <Stack gap="md">
        <Text>{effect} Touchstone can’t undo this. The call uses exactly these arguments:</Text>
        <JsonText value={args} label="Arguments" />
        <Group>
          <Button
            color="vermilion"
            onClick={() => {
              onClose();
              onCall();
            }}
          >
            Call tool
          </Button>
          <Button variant="default" data-autofocus onClick={onClose}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
