import { useApi } from '../api/index.ts';
import { showUndo } from '../ui/notices/notices.tsx';

/** Shows what was deleted or changed; undoing it takes it back in the core and reads again. */
export function useOfferUndo() {
  const { client, reread } = useApi();
  return (message: string, token: string, again: () => Promise<unknown> = () => reread()): void =>
    showUndo(message, async () => {
      await client.settings.undo({ token });
      await again();
    });
}
