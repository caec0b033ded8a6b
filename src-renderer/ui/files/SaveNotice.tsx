import { Group, Text } from '@mantine/core';
import { hideNotification, showNotification, updateNotification } from '@mantine/notifications';
import { Action } from '../fields/controls.tsx';
import { PlainText } from '../text/Foreign.tsx';

/** Files of at least this many bytes get a notice while they are written. */
const largeBytes = 4 * 1024 * 1024;
const steps = 1024 * 1024;

interface SaveNotice {
  progress: (bytes: number) => void;
  /** The outcome; nothing for a small file. */
  end: (outcome: string | null, action?: { label: string; run: () => void }) => void;
}

let count = 0;

/** Shows the progress of a large file with a button to stop it, and then its outcome. */
export function beginSaveNotice(fileName: string, cancel: () => void): SaveNotice {
  count += 1;
  const id = `save-${count}`;
  let shown = -1;
  const show = (
    text: string,
    autoClose: number | false,
    action: { label: string; run: () => void } | null,
  ) => {
    const notice = {
      id,
      autoClose,
      loading: autoClose === false,
      message: (
        <Group justify="space-between" wrap="nowrap" gap="md">
          <Text className="ts-foreign" lineClamp={4}>
            <PlainText text={text} />
          </Text>
          {action === null ? null : (
            <Action label={action.label} small style={{ flex: 'none' }} onClick={action.run} />
          )}
        </Group>
      ),
    };
    if (shown < 0) showNotification(notice);
    else updateNotification(notice);
  };
  return {
    progress(bytes) {
      if (bytes < largeBytes || bytes - shown < steps) return;
      show(`${fileName}: ${Math.floor(bytes / steps)} MB so far …`, false, {
        label: 'Cancel',
        run: cancel,
      });
      shown = bytes;
    },
    end(outcome, action) {
      if (outcome === null) hideNotification(id);
      else
        show(
          outcome,
          12_000,
          action === undefined
            ? null
            : {
                label: action.label,
                run: () => {
                  hideNotification(id);
                  action.run();
                },
              },
        );
    },
  };
}
