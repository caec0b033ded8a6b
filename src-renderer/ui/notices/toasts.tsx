import { showNotification, updateNotification } from '@mantine/notifications';
import { PlainText } from '../text/PlainText.tsx';

const shown = new Map<string, { id: string; count: number }>();
let made = 0;

/** A short message. While the same message is shown, it is counted instead of shown again. */
export function showToast(message: string, autoClose = 4000): void {
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
    onClose: () => {
      shown.delete(message);
    },
  };
  if (before === undefined) showNotification(toast);
  else updateNotification(toast);
}
