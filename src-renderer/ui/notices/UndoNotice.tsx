import { Button, Group, Text } from '@mantine/core';
import { hideNotification, showNotification } from '@mantine/notifications';
import { createStore, useStore } from '../../state/createStore.ts';
import { describeError } from './describeError.ts';
import { PlainText } from '../text/PlainText.tsx';

interface Undoable {
  id: string;
  /** What happened, in the past tense. */
  message: string;
  undo: () => Promise<unknown>;
}

const last = createStore<Undoable | null>(null);
let count = 0;

async function takeBack(entry: Undoable): Promise<void> {
  hideNotification(entry.id);
  if (last.get() === entry) last.set(null);
  try {
    await entry.undo();
    showNotification({ message: 'Undone.', autoClose: 3000 });
  } catch (error) {
    showTrouble(error, 'Could not undo: ');
  }
}

/**
 * Says what was done and offers to take it back. After the notice has gone, Ctrl/Cmd+Z and the
 * palette still can.
 */
export function showUndo(message: string, undo: () => Promise<unknown>): void {
  count += 1;
  const entry: Undoable = { id: `undo-${count}`, message, undo };
  last.set(entry);
  showNotification({
    id: entry.id,
    autoClose: 12_000,
    message: (
      <Group justify="space-between" wrap="nowrap" gap="md">
        <Text className="ts-foreign" lineClamp={3}>
          <PlainText text={message} />
        </Text>
        <Button
          size="compact-sm"
          variant="default"
          style={{ flex: 'none' }}
          onClick={() => {
            void takeBack(entry);
          }}
        >
          Undo
        </Button>
      </Group>
    ),
  });
}

/** A short confirmation of something that needs no undo. */
export function showDone(message: string): void {
  showNotification({ message: <PlainText text={message} />, autoClose: 4000 });
}

/** A failed act that has no place of its own on the screen. */
export function showFailure(error: unknown): void {
  showTrouble(error);
}

function showTrouble(error: unknown, head = ''): void {
  const { thing, cause, nextStep } = describeError(error);
  const text = (given: string) => (
    <span className="ts-foreign">
      <PlainText text={given} />
    </span>
  );
  showNotification({
    title: text(`${head}${thing}`),
    message: text(`${cause} ${nextStep}`.trim()),
    color: 'vermilion',
    autoClose: false,
  });
}

/** The last thing that can still be taken back, with the act that does it. */
export function useLastUndo(): { message: string; run: () => void } | null {
  const entry = useStore(last);
  if (entry === null) return null;
  return {
    message: entry.message,
    run: () => {
      void takeBack(entry);
    },
  };
}
