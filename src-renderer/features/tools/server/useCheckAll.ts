import { useRef, useState } from 'react';
import { useApi } from '../../../api/index.ts';
import { showDone, useAct } from '../../../ui/notices/notices.tsx';
import { counted } from '../../../../src-shared/display/numbers.ts';

/** Servers are started by a check, so only a few are checked at once. */
const maxChecksAtOnce = 4;

/**
 * Checks servers, a few at a time. The status of each is updated as soon as it is known; `cancel`
 * stops the checks under way and starts no others.
 */
export function useCheckAll() {
  const { client, queries, reread } = useApi();
  const abort = useRef<AbortController | null>(null);
  const [done, setDone] = useState(0);
  const refresh = (): Promise<void> => reread(queries.servers);
  const run = useAct(
    async (ids: readonly string[]) => {
      const stop = new AbortController();
      abort.current = stop;
      setDone(0);
      const waiting = [...ids];
      const failed: unknown[] = [];
      const isStopped = (): boolean => stop.signal.aborted;
      let unreachable = 0;
      let unlisted = 0;
      const work = async (): Promise<void> => {
        for (let id = waiting.shift(); id !== undefined && !isStopped(); id = waiting.shift()) {
          try {
            const { status, toolsError } = await client.servers.check(
              { id },
              { signal: stop.signal },
            );
            if (status === 'failed') unreachable += 1;
            else if (toolsError != null) unlisted += 1;
          } catch (error) {
            if (!isStopped()) failed.push(error);
          }
          setDone((before) => before + 1);
          void refresh();
        }
      };
      await Promise.all(Array.from({ length: maxChecksAtOnce }, work));
      if (failed.length > 0) throw failed[0];
      return { canceled: stop.signal.aborted, unreachable, unlisted };
    },
    {
      onSuccess: ({ canceled, unreachable, unlisted }, ids) => {
        const rest =
          (unreachable === 0
            ? 'All are reachable.'
            : `${counted(unreachable, 'server')} unreachable.`) +
          (unlisted === 0 ? '' : ` ${counted(unlisted, 'server')} can’t list tools.`);
        showDone(
          canceled
            ? 'Canceled. Servers already checked keep their new status.'
            : `Checked ${counted(ids.length, 'server')}. ${rest}`,
        );
      }, // Tools may have changed, and with them every analysis.
      onSettled: () => reread(),
    },
  );
  return {
    checkAll: run.mutate,
    checking: run.isPending,
    done,
    total: run.variables?.length ?? 0,
    cancel: () => abort.current?.abort(),
  };
}
