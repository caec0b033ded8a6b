import { Button } from '@mantine/core';
import { IconPlayerStop, IconRefresh } from '@tabler/icons-react';
import { useCheckAll } from './useCheckAll.ts';

/** Checks all servers with one button, which then shows the progress and cancels. */
export function CheckAll({ ids, small = false }: { ids: readonly string[]; small?: boolean }) {
  const { checkAll, checking, done, total, cancel } = useCheckAll();
  const Icon = checking ? IconPlayerStop : IconRefresh;
  return (
    <Button
      size={small ? 'compact-sm' : 'sm'}
      variant="default"
      leftSection={<Icon size={small ? 14 : 16} aria-hidden />}
      disabled={ids.length === 0}
      onClick={() => {
        if (checking) cancel();
        else checkAll(ids);
      }}
    >
      {checking ? `Cancel (${done} of ${total})` : 'Connect all'}
    </Button>
  );
}
