import { IconPlayerStop, IconRefresh } from '@tabler/icons-react';
import { Action } from '../../../ui/fields/controls.tsx';
import { useCheckAll } from './useCheckAll.ts';

/** Checks all servers with one button, which then shows the progress and cancels. */
export function CheckAll({ ids, small = false }: { ids: readonly string[]; small?: boolean }) {
  const { checkAll, checking, done, total, cancel } = useCheckAll();
  const Icon = checking ? IconPlayerStop : IconRefresh;
  return (
    <Action
      label={checking ? `Cancel (${done} of ${total})` : 'Connect all'}
      size={small ? 'compact-sm' : 'sm'}
      icon={Icon}
      disabled={ids.length === 0}
      onClick={() => {
        if (checking) cancel();
        else checkAll(ids);
      }}
    />
  );
}
