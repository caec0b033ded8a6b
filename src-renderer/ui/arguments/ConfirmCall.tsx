import { Text } from '@mantine/core';
import { Foreign } from '../text/Foreign.tsx';
import { JsonText } from '../text/CodeView.tsx';
import { ConfirmDialog } from '../panels/ConfirmDialog.tsx';

interface ConfirmCallProps {
  tool: string;
  effect: string;
  args: unknown;
  onCall: () => void;
  onClose: () => void;
}

/** Asks before a call that may destroy something, and shows the exact arguments. */
export function ConfirmCall({ tool, effect, args, onCall, onClose }: ConfirmCallProps) {
  return (
    <ConfirmDialog
      title={
        <>
          Call “<Foreign text={tool} limit={120} />
          ”?
        </>
      }
      confirm="Call tool"
      danger
      onConfirm={() => {
        onClose();
        onCall();
      }}
      onClose={onClose}
    >
      <Text>{effect} Touchstone can’t undo this. The call uses exactly these arguments:</Text>
      <JsonText value={args} label="Arguments" />
    </ConfirmDialog>
  );
}
