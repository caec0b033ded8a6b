import { Group, Text } from '@mantine/core';
import { hideNotification, showNotification, updateNotification } from '@mantine/notifications';
import { Action } from '../fields/Action.tsx';
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

async function undoEntry(entry: Undoable): Promise<void> {
  hideNotification(entry.id);
  if (last.get() === entry) last.set(null);
  try {
    await entry.undo();
    showToast('Undone.', 3000);
  } catch (error) {
    showErrorNotice(error, 'Could not undo: ');
  }
}

/**
 * Shows what was done, with an Undo button. After the notice has gone, Ctrl/Cmd+Z and the palette
 * can still undo it.
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
        <Action label="Undo" small style={{ flex: 'none' }} onClick={() => void undoEntry(entry)} />
      </Group>
    ),
  });
}

/** A short confirmation without Undo. */
export function showDone(message: string): void {
  showToast(message);
}

/** Shows the error of an action that has no place of its own on the screen. */
export function showFailure(error: unknown): void {
  showErrorNotice(error);
}

function showErrorNotice(error: unknown, head = ''): void {
  const { thing, cause, nextStep } = describeError(error);
  const text = (value: string) => <PlainText as="span" className="ts-foreign" text={value} />;
  showNotification({
    title: text(`${head}${thing}`),
    message: text(`${cause} ${nextStep}`.trim()),
    color: 'vermilion',
    autoClose: false,
  });
}

/** The last action that can still be undone. */
export function useLastUndo(): { message: string; run: () => void } | null {
  const entry = useStore(last);
  if (entry === null) return null;
  return { message: entry.message, run: () => void undoEntry(entry) };
}

const shown = new Map<string, { id: string; count: number }>();
let made = 0;

/** A short message. While the same message is shown, it is counted instead of shown again. */
function showToast(message: string, autoClose = 4000): void {
  const before = shown.get(message);
  const count = (before?.count ?? 0) + 1;
  if (before === undefined) made += 1;
  const id = before?.id ?? `toast-${made}`;
  shown.set(message, { id, count });
  const toast = {
    id,
    message: (
      <>
        <PlainText text={message} />
        {count > 1 && ` (${count})`}
      </>
    ),
    autoClose,
    onClose: () => shown.delete(message),
  };
  if (before === undefined) showNotification(toast);
  else updateNotification(toast);
}
